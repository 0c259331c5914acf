import { notFound } from "../../../kernel/failure.ts";
import type { Runtime } from "../../../kernel/runtime/runtime.ts";
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
  save(analysis: Analysis, root: string): void;
  /** Returns an analysis with its folder; throws if it does not exist. */
  get(id: string): StoredAnalysis;
  find(id: string): StoredAnalysis | undefined;
  /** Ids and folders of the stored analyses, newest first. */
  list(): { id: string; root: string }[];
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

export function createAnalysisStore(
  runtime: Pick<Runtime, "db" | "boundary" | "privateFiles">,
): AnalysisStore {
  const { db, boundary, privateFiles } = runtime;
  return {
    save(analysis, root) {
      const row: AnalysisRow = { id: analysis.id, root, analysis: JSON.stringify(analysis) };
      db.transaction(() => {
        upsertAnalysis(db, row, analysisFormat);
        pruneAnalyses(db, maxStored);
      });
    },
    get(id) {
      const found = find(id);
      if (found) return found;
      throw notFound(`There is no analysis '${id}'.`, [
        "Call analyze_repository and use the id of its result.",
      ]);
    },
    find,
    list: () => listAnalysisRows(db, analysisFormat).filter(({ id }) => find(id) !== undefined),
  };

  /**
   * Hides analyses of folders outside the force root, and analyses that mention a file which has
   * become private since: those must be repeated.
   */
  function find(id: string): StoredAnalysis | undefined {
    const row = findAnalysisRow(db, id, analysisFormat);
    if (!row || !boundary.allowsFolder(row.root)) return undefined;
    const isMentioned = (path: string): boolean => row.analysis.includes(JSON.stringify(path));
    if (privateFiles.pathsBelow(row.root).some(isMentioned)) return undefined;
    // Only `save` writes rows of this format.
    return { analysis: JSON.parse(row.analysis) as Analysis, root: row.root };
  }
}
