import { Failure } from "../../kernel/failure.ts";
import type { AnyOperation } from "../../kernel/operation.ts";
import type { Runtime } from "../../kernel/runtime/runtime.ts";
import { openRecordStore, type RecordStore } from "./decisions/record-store.ts";
import { createDocumentIndex, type DocumentIndex } from "./knowledge/document-index.ts";
import { type KnowledgeBase, openKnowledgeBase } from "./knowledge/knowledge.ts";
import { openPromptStore, type PromptStore } from "./prompts/prompt-store.ts";

type Services = Pick<
  Runtime,
  "boundary" | "changes" | "db" | "log" | "metrics" | "proposals" | "settings" | "store"
>;

/** The state of the shelf's operations. */
export interface ArchitectureState extends Services {
  readonly records: RecordStore;
  /** The records of another project, by its real path. */
  recordsAt(root: string): RecordStore;
  /** Guidelines, patterns and decisions. */
  readonly knowledge: KnowledgeBase;
  readonly index: DocumentIndex;
  readonly prompts: PromptStore;
  /** The tools that a prompt may describe with `{{tool:name}}`. */
  readonly tools: readonly AnyOperation[];
}

export function openArchitecture(
  services: Services,
  tools: readonly AnyOperation[],
): ArchitectureState {
  const { boundary, changes, db, log, metrics, proposals, settings, store } = services;
  const root = resolveRoot(services);
  const stores = new Map<string, RecordStore>();
  const recordsAt = (projectRoot: string): RecordStore => {
    const recordStore =
      stores.get(projectRoot) ??
      openRecordStore({ boundary, settings: { ...settings, root: projectRoot } });
    stores.set(projectRoot, recordStore);
    return recordStore;
  };
  const state: ArchitectureState = {
    boundary,
    changes,
    db,
    log,
    metrics,
    proposals,
    settings,
    store,
    /** Opened lazily: without a valid root there are no records, but prompts still work. */
    get records() {
      return recordsAt(root);
    },
    recordsAt,
    knowledge: openKnowledgeBase(services, root, () => state.records),
    index: createDocumentIndex(),
    prompts: openPromptStore(
      services,
      root,
      tools.map(({ name }) => name),
    ),
    tools,
  };
  return state;
}

/** A root outside the force root is replaced by the force root. */
function resolveRoot({ settings: { root, forceRoot }, boundary }: Services): string {
  const start = boundary.allowsFolder(root) ? root : (forceRoot ?? root);
  try {
    return boundary.resolvePath(start);
  } catch (error) {
    if (error instanceof Failure) return start;
    throw error;
  }
}
