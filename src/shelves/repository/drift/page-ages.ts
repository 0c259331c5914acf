import { join } from "node:path";
import { lastCommitDates, unreadableHistory } from "../../../kernel/git/git.ts";
import { statOrUndefined } from "../../../kernel/paths/file-stat.ts";
import { type DocumentationPage, readDocumentation } from "../pages/documentation.ts";
import { subtask, type TaskContext } from "../progress.ts";
import { takeFileInventory } from "../repo/file-inventory.ts";
import type { RepositoryState } from "../state.ts";
import { scanSymbols } from "../symbols/symbol-scan.ts";
import type { DocsScope } from "./baselines.ts";
import { findLastUpdate, type LastUpdate } from "./freshness.ts";
import { createSymbolReferences } from "./symbol-references.ts";

/** A page, its last update, and the newest change of the code it mentions. */
export interface PageAge {
  page: DocumentationPage;
  lastUpdate: LastUpdate;
  /** The newest change, after the page's last update, of a file that the page mentions. */
  newerCode?: { file: string; at: number };
}

export interface PageAges {
  ages: PageAge[];
  /** Whether the git history could be read in time. */
  hasHistory: boolean;
  /** Set if a history exists but cannot be read. */
  isUnreadable?: boolean;
  stopped_at?: string;
}

/** Measures the ages of pages; with `comparesCode`, also finds those older than their code. */
export async function measurePageAges(
  state: RepositoryState,
  subject: DocsScope,
  { comparesCode }: { comparesCode: boolean },
  call: TaskContext,
): Promise<PageAges> {
  const { root } = subject;
  const inventory = await takeFileInventory(root, state.boundary, call);
  const parts = { parts: comparesCode ? 3 : 2, size: inventory.files.length };
  const reading = subtask(call, { part: 1, ...parts });
  const { pages, ...read } = await readDocumentation(state, inventory, subject.pages, reading, {
    namesCode: comparesCode,
  });
  const history = await lastCommitDates(root, state.boundary, call.signal);
  const isUnreadable = history === unreadableHistory;
  const committed = isUnreadable ? undefined : history;
  const isHistoryMissing = isUnreadable || (committed === undefined && call.signal.aborted);
  const ages = [...pages.values()].map((page): PageAge => {
    const modified = statOrUndefined(join(root, page.file))?.mtimeMs ?? 0;
    return { page, lastUpdate: findLastUpdate(page.lines, committed?.get(page.file), modified) };
  });
  const stopped =
    inventory.stoppedAt ?? read.stopped_at ?? (isHistoryMissing ? historyPath : undefined);
  if (!comparesCode || !committed) return { ...toPageAges(ages, committed, stopped), isUnreadable };
  const { symbols, stopped_at } = await scanSymbols(
    state,
    inventory,
    subtask(call, { part: 2, ...parts }),
  );
  const references = createSymbolReferences(pages.values(), root, symbols);
  const filesOf = new Map<string, Set<string>>();
  for (const symbol of symbols) {
    for (const { page, certain } of references.to(symbol)) {
      if (!certain) continue;
      const files = filesOf.get(page) ?? new Set();
      filesOf.set(page, files.add(symbol.file));
    }
  }
  const compared = ages.map((age): PageAge => {
    const dates = [...(filesOf.get(age.page.file) ?? [])]
      .map((file) => ({ file, at: Date.parse(committed.get(file) ?? "") }))
      .filter(({ at }) => at > age.lastUpdate.at)
      .sort((a, b) => b.at - a.at);
    return dates[0] ? { ...age, newerCode: dates[0] } : age;
  });
  return toPageAges(compared, committed, stopped ?? stopped_at);
}

/** The `stopped_at` value if git's history could not be read in time. */
const historyPath = ".git";

const toPageAges = (
  ages: PageAge[],
  committed: unknown,
  stopped_at: string | undefined,
): PageAges => ({
  ages,
  hasHistory: committed !== undefined,
  ...(stopped_at !== undefined && { stopped_at }),
});
