import { join } from "node:path";
import { lastChanges, unreadableHistory } from "../../kernel/git.ts";
import { statOf } from "../../kernel/path-kind.ts";
import type { Subject } from "./baselines.ts";
import { type DocumentationPage, documentationIn } from "./documentation.ts";
import { type LastTouch, lastTouch } from "./freshness.ts";
import { partOf, type Telling } from "./long-work.ts";
import { openReferences } from "./references.ts";
import type { RepositoryState } from "./state.ts";
import { surveyOf } from "./survey.ts";
import { symbolsOf } from "./symbols/offered.ts";

/** A page, when it was last touched, and what happened since to the code that it speaks of. */
export interface PageAge {
  page: DocumentationPage;
  touched: LastTouch;
  /** The newest change after the page's own of a file that the page speaks of. */
  overtakenBy?: { file: string; at: number };
}

export interface PageAges {
  ages: PageAge[];
  /** Whether git could be asked, and answered in time. */
  hasHistory: boolean;
  /** There is a history, and it cannot be read. */
  isUnreadable?: boolean;
  stopped_at?: string;
}

/** How old the pages are; with `comparesCode`, also which were overtaken by their code. */
export async function pageAges(
  state: RepositoryState,
  subject: Subject,
  { comparesCode }: { comparesCode: boolean },
  call: Telling,
): Promise<PageAges> {
  const { root } = subject;
  const survey = await surveyOf(root, state.boundary, call);
  const parts = { parts: comparesCode ? 3 : 2, size: survey.files.length };
  const reading = partOf(call, { part: 1, ...parts });
  const { pages, ...read } = await documentationIn(state, survey, subject.pages, reading, {
    namesCode: comparesCode,
  });
  const history = await lastChanges(root, state.boundary, call.signal);
  const isUnreadable = history === unreadableHistory;
  const committed = isUnreadable ? undefined : history;
  const isCut = isUnreadable || (committed === undefined && call.signal.aborted);
  const ages = [...pages.values()].map((page): PageAge => {
    const modified = statOf(join(root, page.file))?.mtimeMs ?? 0;
    return { page, touched: lastTouch(page.lines, committed?.get(page.file), modified) };
  });
  const stopped = survey.stoppedAt ?? read.stopped_at ?? (isCut ? historyPlace : undefined);
  if (!comparesCode || !committed) return { ...told(ages, committed, stopped), isUnreadable };
  const { symbols, stopped_at } = await symbolsOf(
    state,
    survey,
    partOf(call, { part: 2, ...parts }),
  );
  const references = openReferences(pages.values(), root, symbols);
  const filesOf = new Map<string, Set<string>>();
  for (const symbol of symbols) {
    for (const { page, certain } of references.of(symbol)) {
      if (!certain) continue;
      const files = filesOf.get(page) ?? new Set();
      filesOf.set(page, files.add(symbol.file));
    }
  }
  const compared = ages.map((age): PageAge => {
    const dates = [...(filesOf.get(age.page.file) ?? [])]
      .map((file) => ({ file, at: Date.parse(committed.get(file) ?? "") }))
      .filter(({ at }) => at > age.touched.at)
      .sort((a, b) => b.at - a.at);
    return dates[0] ? { ...age, overtakenBy: dates[0] } : age;
  });
  return told(compared, committed, stopped ?? stopped_at);
}

/** Where it stopped, when git's history could not be read, or not in time. */
const historyPlace = ".git";

const told = (ages: PageAge[], committed: unknown, stopped_at: string | undefined): PageAges => ({
  ages,
  hasHistory: committed !== undefined,
  ...(stopped_at !== undefined && { stopped_at }),
});
