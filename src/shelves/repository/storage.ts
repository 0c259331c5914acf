import { all, get, run, type Steps } from "../../kernel/storage/steps.ts";

/** A stored analysis: `analysis` is JSON, `root` the real path of the analysed folder. */
export interface AnalysisRow {
  id: string;
  root: string;
  analysis: string;
}

export function* upsertAnalysis(row: AnalysisRow, form: number): Steps<void> {
  yield* run(
    `INSERT INTO repository_analyses (id, root, form, made, analysis)
     VALUES (?, ?, ?, (SELECT coalesce(max(made), 0) + 1 FROM repository_analyses), ?)
         ON CONFLICT (id) DO UPDATE SET root = excluded.root, form = excluded.form,
            made = excluded.made, analysis = excluded.analysis`,
    row.id,
    row.root,
    form,
    row.analysis,
  );
}

/** Removes all but the newest. */
export function* pruneAnalyses(keep: number): Steps<void> {
  yield* run(
    `DELETE FROM repository_analyses WHERE id NOT IN
       (SELECT id FROM repository_analyses ORDER BY made DESC LIMIT ?)`,
    keep,
  );
}

/** A disk error may have damaged the JSON in a row of SQLite. */
export const withIntactJson = (select: string, column: string, rest = "") => ({
  sqlite: `${select} AND json_valid(${column})${rest}`,
  postgres: `${select}${rest}`,
});

const selectAnalysis = withIntactJson(
  "SELECT id, root, analysis FROM repository_analyses WHERE id = ? AND form = ?",
  "analysis",
);

export const findAnalysisRow = (id: string, form: number): Steps<AnalysisRow | undefined> =>
  get(selectAnalysis, id, form);

/** Every analysis without its contents, newest first. */
export const listAnalysisRows = (form: number): Steps<{ id: string; root: string }[]> =>
  all("SELECT id, root FROM repository_analyses WHERE form = ? ORDER BY made DESC", form);
