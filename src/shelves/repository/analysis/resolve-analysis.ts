import type { Call } from "../../../kernel/call.ts";
import { invalid } from "../../../kernel/failure.ts";
import { isBusyError } from "../../../kernel/storage/database.ts";
import { resolveRepository } from "../repo/repository-path.ts";
import type { RepositoryState } from "../state.ts";
import type { Analysis, AnalysisDepth } from "./analysis.ts";
import type { StoredAnalysis } from "./analysis-store.ts";
import { analyze } from "./analyze.ts";

/** Returns a stored analysis by id, or analyses a path now. */
export async function resolveAnalysis(
  state: RepositoryState,
  { analysisId, path }: { analysisId?: string | undefined; path?: string | undefined },
  call: Call,
  depth: AnalysisDepth = "standard",
): Promise<StoredAnalysis> {
  if (analysisId !== undefined) return await state.store.run(state.analyses.get(analysisId));
  if (path === undefined) {
    throw invalid("Missing parameter 'analysisId': give it, or the path of a repository");
  }
  const root = resolveRepository(state.boundary, path);
  const analysis = await analyze(state, { root, path, depth }, call);
  // A cancelled call needs no result, but after a timeout a partial analysis is useful.
  if (!isTimedOut(call)) call.signal.throwIfAborted();
  await saveAnalysis(state, { analysis, root }, call);
  return { analysis, root };
}

/** Saving is best effort: a result is not delayed while another process locks the store. */
async function saveAnalysis(
  { store, analyses }: RepositoryState,
  { analysis, root }: StoredAnalysis,
  call: Call,
): Promise<void> {
  try {
    await store.waitUntilWritable({ timeoutMs: saveTimeoutMs });
    await store.run(analyses.save(analysis, root));
    call.announce({ topic: "resources.changed" });
  } catch (error) {
    if (!isBusyError(error)) throw error;
    call.log("warn", "The analysis was not saved, so its id cannot be used later.");
  }
}

const saveTimeoutMs = 2_000;

const isTimedOut = ({ signal: { reason } }: Call): boolean =>
  reason instanceof Error && reason.name === "TimeoutError";

/** A warning for results based on a partial analysis. */
export const partialAdvice = ({ partial, stopped_at }: Analysis) =>
  partial
    ? [
        {
          type: "warning" as const,
          title: "The analysis is partial",
          description: `It stopped at ${stopped_at ?? "an unknown position"}; the result covers only what was read before.`,
        },
      ]
    : [];
