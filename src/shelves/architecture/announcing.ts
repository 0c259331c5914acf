import type { Notice } from "../../kernel/notices.ts";
import type { DocumentSet } from "./document-set.ts";
import type { PromptTemplate } from "./prompt-file.ts";
import type { ArchitectureState } from "./state.ts";

/**
 * How long after a look the next one comes: a change is told within two seconds, and a look that
 * takes long comes less often.
 */
const shortestRest = 800;
const longestRest = 1_500;
const restFactor = 5;

/**
 * Looks again and again, and tells what has changed since. A look costs next to nothing where the
 * system tells of changes, and is exact wherever it does not.
 */
export function announceChanges(
  { knowledge, prompts, log }: ArchitectureState,
  tell: (notices: readonly Notice[]) => void,
): () => void {
  let seen: Seen | undefined;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    const started = performance.now();
    try {
      const now: Seen = {
        set: await (seen ? knowledge.glance() : knowledge.now()),
        prompts: await prompts.now(),
      };
      if (isOver) return;
      const notices = seen ? noticesFor(seen, now) : [];
      seen = now;
      if (notices.length > 0) tell(notices);
    } catch (error) {
      log("warn", "changes of the architecture cannot be seen", { cause: error });
    }
    if (isOver) return;
    timer = setTimeout(look, restAfter(performance.now() - started));
    timer.unref();
  }

  void look();
  return () => {
    isOver = true;
    clearTimeout(timer);
    knowledge.close();
    prompts.close();
  };
}

const restAfter = (ms: number): number =>
  Math.min(Math.max(ms * restFactor, shortestRest), longestRest);

interface Seen {
  set: DocumentSet;
  prompts: readonly PromptTemplate[];
}

/** The list changes with a name, a title or a document; each document that is another is told. */
function noticesFor(before: Seen, now: Seen): Notice[] {
  const notices: Notice[] = [];
  if (before.set !== now.set) {
    const old = new Map(before.set.all.map((document) => [document.uri, document]));
    const current = new Map(now.set.all.map((document) => [document.uri, document]));
    const uris = new Set([...old.keys(), ...current.keys()]);
    const changed = [...uris].filter(
      (uri) => old.get(uri)?.checksum !== current.get(uri)?.checksum,
    );
    const isListed = changed.some((uri) => old.get(uri)?.title !== current.get(uri)?.title);
    if (isListed) notices.push({ topic: "resources.changed" });
    for (const about of changed) notices.push({ topic: "resource.updated", about });
  }
  if (before.prompts !== now.prompts) notices.push({ topic: "prompts.changed" });
  return notices;
}
