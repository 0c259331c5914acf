import { notFound } from "../../kernel/failure.ts";
import type { House } from "../../kernel/house.ts";
import type { Analysis } from "./analysis.ts";
import {
  type AnalysisRow,
  analysesKept,
  analysisOf,
  forgetAnalyses,
  keepAnalysis,
} from "./storage.ts";

/** The analyses of this home, by their ids. */
export interface Analyses {
  /** Remembers an analysis of the folder at this real path. */
  keep(analysis: Analysis, root: string): void;
  /** An analysis by its id, with the folder that it is about. Fails where there is none. */
  named(id: string): KeptAnalysis;
  find(id: string): KeptAnalysis | undefined;
  /** What is kept, the newest first: ids, and the folders that they are about. */
  all(): { id: string; root: string }[];
}

export interface KeptAnalysis {
  analysis: Analysis;
  /** The real path of the repository. */
  root: string;
}

/** Raise it when an analysis changes its form. Those of the first one told what is in projects. */
const form = 2;

const mostKept = 50;

export function openAnalyses(house: Pick<House, "db" | "boundary" | "privateFiles">): Analyses {
  const { db, boundary, privateFiles } = house;
  return {
    keep(analysis, root) {
      const row: AnalysisRow = { id: analysis.id, root, analysis: JSON.stringify(analysis) };
      db.transaction(() => {
        keepAnalysis(db, row, form);
        forgetAnalyses(db, mostKept);
      });
    },
    named(id) {
      const found = find(id);
      if (found) return found;
      throw notFound(`There is no analysis '${id}'.`, [
        "Call analyze_repository and give the id of its answer.",
      ]);
    },
    find,
    all: () => analysesKept(db, form).filter(({ id }) => find(id) !== undefined),
  };

  /**
   * What was analysed outside a force root is not there for this process, and what tells of a file
   * that has become private is there for nobody: it is analysed anew.
   */
  function find(id: string): KeptAnalysis | undefined {
    const row = analysisOf(db, id, form);
    if (!row || !boundary.holds(row.root)) return undefined;
    const isTold = (path: string): boolean => row.analysis.includes(JSON.stringify(path));
    if (privateFiles.below(row.root).some(isTold)) return undefined;
    // Only `keep` writes rows of this form.
    return { analysis: JSON.parse(row.analysis) as Analysis, root: row.root };
  }
}
