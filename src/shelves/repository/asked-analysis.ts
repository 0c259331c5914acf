import type { Call } from "../../kernel/call.ts";
import { isBusy } from "../../kernel/database.ts";
import { invalid } from "../../kernel/failure.ts";
import type { KeptAnalysis } from "./analyses.ts";
import { analysisOf } from "./analysing.ts";
import type { Analysis, Depth } from "./analysis.ts";
import { enterRepository } from "./repository-path.ts";
import type { RepositoryState } from "./state.ts";

/** An analysis by its id, or of a path that is analysed now. */
export async function askedAnalysis(
  state: RepositoryState,
  { analysisId, path }: { analysisId?: string | undefined; path?: string | undefined },
  call: Call,
  depth: Depth = "standard",
): Promise<KeptAnalysis> {
  if (analysisId !== undefined) return state.analyses.named(analysisId);
  if (path === undefined) {
    throw invalid("Missing parameter 'analysisId': give it, or the path of a repository");
  }
  const root = enterRepository(state.boundary, path);
  const analysis = await analysisOf(state, { root, path, depth }, call);
  // Nobody waits for it any more. Where only the time was over, its part is of use.
  if (!isTimeOver(call)) call.signal.throwIfAborted();
  await keep(state, { analysis, root }, call);
  return { analysis, root };
}

/** An answer is not held back because another process keeps the store to itself. */
async function keep(
  { db, analyses }: RepositoryState,
  { analysis, root }: KeptAnalysis,
  call: Call,
): Promise<void> {
  try {
    await db.writable({ patienceMs: keepPatienceMs });
    analyses.keep(analysis, root);
    call.announce({ topic: "resources.changed" });
  } catch (error) {
    if (!isBusy(error)) throw error;
    call.log("warn", "The analysis was not kept, so its id cannot be used later.");
  }
}

const keepPatienceMs = 2_000;

const isTimeOver = ({ signal: { reason } }: Call): boolean =>
  reason instanceof Error && reason.name === "TimeoutError";

/** What is to be known of an answer that rests on a part of the repository. */
export const partialAdvice = ({ partial, stopped_at }: Analysis) =>
  partial
    ? [
        {
          type: "warning" as const,
          title: "The analysis is partial",
          description: `It stopped at ${stopped_at ?? "an unknown place"}, and this rests on what it saw.`,
        },
      ]
    : [];
