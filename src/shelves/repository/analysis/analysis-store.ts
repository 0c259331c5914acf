import { notFound } from "../../../kernel/failure.ts";
import type { Runtime } from "../../../kernel/runtime/runtime.ts";
import { type Steps, transaction } from "../../../kernel/storage/steps.ts";
import {
  type AnalysisRow,
  findAnalysisRow,
  listAnalysisRows,
  pruneAnalyses,
  upsertAnalysis,
} from "../storage.ts";
import type { Analysis } from "./analysis.ts";

/** The analyses stored in this home, by id. */
export interface AnalysisStore {
  /** Stores an analysis of the folder at this real path. */
  save(analysis: Analysis, root: string): Steps<void>;
  /** Returns an analysis with its folder; throws if it does not exist. */
  get(id: string): Steps<StoredAnalysis>;
  find(id: string): Steps<StoredAnalysis | undefined>;
  /** Ids and folders of the stored analyses, newest first. */
  list(): Steps<{ id: string; root: string }[]>;
}

export interface StoredAnalysis {
  analysis: Analysis;
  /** The real path of the repository. */
  root: string;
}

/**
 * Increment when the format of an analysis changes. Format 1 contained private paths within
 * projects.
 */
const analysisFormat = 2;

const maxStored = 50;

export function createAnalysisStore({
  boundary,
  privateFiles,
}: Pick<Runtime, "boundary" | "privateFiles">): AnalysisStore {
  return {
    save(analysis, root) {
      const row: AnalysisRow = { id: analysis.id, root, analysis: JSON.stringify(analysis) };
      return transaction(function* () {
        yield* upsertAnalysis(row, analysisFormat);
        yield* pruneAnalyses(maxStored);
      });
    },
    *get(id) {
      const found = yield* find(id);
      if (found) return found;
      throw notFound(`There is no analysis '${id}'.`, [
        "Call analyze_repository and use the id of its result.",
      ]);
    },
    find,
    *list() {
      const shown: { id: string; root: string }[] = [];
      for (const row of yield* listAnalysisRows(analysisFormat)) {
        if (yield* find(row.id)) shown.push(row);
      }
      return shown;
    },
  };

  /**
   * Hides analyses of folders outside the force root, and analyses that mention a file which has
   * become private since: those must be repeated.
   */
  function* find(id: string): Steps<StoredAnalysis | undefined> {
    const row = yield* findAnalysisRow(id, analysisFormat);
    if (!row || !boundary.allowsFolder(row.root)) return undefined;
    const isMentioned = (path: string): boolean => row.analysis.includes(JSON.stringify(path));
    if (privateFiles.pathsBelow(row.root).some(isMentioned)) return undefined;
    // Only `save` writes rows of this format.
    return { analysis: JSON.parse(row.analysis) as Analysis, root: row.root };
  }
}
