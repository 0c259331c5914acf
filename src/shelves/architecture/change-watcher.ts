import type { Notice } from "../../kernel/notices/notices.ts";
import type { ArchitectureDocument } from "./knowledge/document.ts";
import type { DocumentSet } from "./knowledge/document-set.ts";
import type { PromptTemplate } from "./prompts/prompt-file.ts";
import type { ArchitectureState } from "./state.ts";

/**
 * The delay between polls: changes are reported within two seconds, and a slow poll runs less
 * often.
 */
const minPollDelayMs = 800;
const maxPollDelayMs = 1_500;
const pollDelayFactor = 5;

/**
 * Polls for changes and reports them. A poll costs almost nothing if the system reports file
 * changes; otherwise it reads the files.
 */
export function watchArchitecture(
  { knowledge, prompts, log }: ArchitectureState,
  notify: (notices: readonly Notice[]) => void,
): () => void {
  let previous: ArchitectureSnapshot | undefined;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  async function poll(): Promise<void> {
    const started = performance.now();
    try {
      const now: ArchitectureSnapshot = {
        set: await (previous ? knowledge.poll() : knowledge.read()),
        prompts: await prompts.read(),
      };
      if (isStopped) return;
      const notices = previous ? diffNotices(previous, now, knowledge.isHidden) : [];
      previous = now;
      if (notices.length > 0) notify(notices);
    } catch (error) {
      log("warn", "cannot detect changes of the architecture", { cause: error });
    }
    if (isStopped) return;
    timer = setTimeout(poll, pollDelayAfter(performance.now() - started));
    timer.unref();
  }

  void poll();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    knowledge.close();
    prompts.close();
  };
}

const pollDelayAfter = (ms: number): number =>
  Math.min(Math.max(ms * pollDelayFactor, minPollDelayMs), maxPollDelayMs);

interface ArchitectureSnapshot {
  set: DocumentSet;
  prompts: readonly PromptTemplate[];
}

/**
 * A changed name, title or document changes the list; each modified document is reported by itself,
 * unless it became private: every client would learn which one.
 */
function diffNotices(
  before: ArchitectureSnapshot,
  now: ArchitectureSnapshot,
  isHidden: (document: ArchitectureDocument) => boolean,
): Notice[] {
  const notices: Notice[] = [];
  if (before.set !== now.set) {
    const oldDocuments = new Map(before.set.all.map((document) => [document.uri, document]));
    const newDocuments = new Map(now.set.all.map((document) => [document.uri, document]));
    const uris = new Set([...oldDocuments.keys(), ...newDocuments.keys()]);
    const changed = [...uris].filter(
      (uri) => oldDocuments.get(uri)?.checksum !== newDocuments.get(uri)?.checksum,
    );
    const isListed = changed.some(
      (uri) => oldDocuments.get(uri)?.title !== newDocuments.get(uri)?.title,
    );
    if (isListed) notices.push({ topic: "resources.changed" });
    for (const about of changed) {
      const removed = newDocuments.has(about) ? undefined : oldDocuments.get(about);
      if (!removed || !isHidden(removed)) notices.push({ topic: "resource.updated", about });
    }
  }
  if (before.prompts !== now.prompts) notices.push({ topic: "prompts.changed" });
  return notices;
}
