import { Failure } from "../../kernel/failure.ts";
import type { House } from "../../kernel/house.ts";
import type { AnyOperation } from "../../kernel/operation.ts";
import { type DocumentIndex, openDocumentIndex } from "./document-index.ts";
import { type Knowledge, openKnowledge } from "./knowledge.ts";
import { openPrompts, type Prompts } from "./prompt-set.ts";
import { openRecords, type Records } from "./records-state.ts";

/** What the shelf's operations work on. */
export interface ArchitectureState extends House {
  readonly records: Records;
  /** The records of another project, by its real path. */
  recordsAt(root: string): Records;
  /** Guidelines, patterns and decisions. */
  readonly knowledge: Knowledge;
  readonly index: DocumentIndex;
  readonly prompts: Prompts;
  /** What a prompt may explain by `{{tool:name}}`. */
  readonly tools: readonly AnyOperation[];
}

export function openArchitecture(house: House, tools: readonly AnyOperation[]): ArchitectureState {
  const root = rootOf(house);
  const settings = { ...house.settings, root };
  const opened = new Map<string, Records>();
  const recordsAt = (place: string): Records => {
    const known =
      opened.get(place) ?? openRecords({ ...house, settings: { ...settings, root: place } });
    opened.set(place, known);
    return known;
  };
  const state: ArchitectureState = {
    ...house,
    /** Opened when it is asked for: without a root there are no records, and yet the prompts. */
    get records() {
      return recordsAt(root);
    },
    recordsAt,
    knowledge: openKnowledge(house, root, () => state.records),
    index: openDocumentIndex(),
    prompts: openPrompts(
      house,
      root,
      tools.map(({ name }) => name),
    ),
    tools,
  };
  return state;
}

/** What lies outside a force root is not looked at, so that root itself takes its place. */
function rootOf({ settings: { root, forceRoot }, boundary }: House): string {
  const start = boundary.holds(root) ? root : (forceRoot ?? root);
  try {
    return boundary.enter(start);
  } catch (error) {
    if (error instanceof Failure) return start;
    throw error;
  }
}
