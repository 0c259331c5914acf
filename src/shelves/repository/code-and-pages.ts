import type { Subject } from "./baselines.ts";
import { type DocumentationPage, documentationIn } from "./documentation.ts";
import { partOf, type Telling } from "./long-work.ts";
import type { RepositoryState } from "./state.ts";
import { type Survey, surveyOf } from "./survey.ts";
import { type OfferedSymbols, symbolsOf } from "./symbols/offered.ts";

/** What a repository offers, and the pages that may speak of it. */
export interface CodeAndPages {
  survey: Survey;
  pages: Map<string, DocumentationPage>;
  offered: OfferedSymbols;
  /** Where the time was over, or a bound was met. */
  stopped_at?: string;
}

export async function codeAndPages(
  state: RepositoryState,
  { root, pages: folder }: Subject,
  call: Telling,
): Promise<CodeAndPages> {
  const survey = await surveyOf(root, state.boundary, call);
  const parts = { parts: 3, size: survey.files.length };
  const reading = partOf(call, { part: 1, ...parts });
  const { pages, ...read } = await documentationIn(state, survey, folder, reading);
  const offered = await symbolsOf(state, survey, partOf(call, { part: 2, ...parts }));
  const stopped_at = survey.stoppedAt ?? read.stopped_at ?? offered.stopped_at;
  return { survey, pages, offered, ...(stopped_at !== undefined && { stopped_at }) };
}
