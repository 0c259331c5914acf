import type { Database } from "../../kernel/storage/database.ts";

/** A stored analysis: `analysis` is JSON, `root` the real path of the analysed folder. */
export interface AnalysisRow {
  id: string;
  root: string;
  analysis: string;
}

export function upsertAnalysis(db: Database, row: AnalysisRow, form: number): void {
  db.run(
    `INSERT OR REPLACE INTO repository_analyses (id, root, form, made, analysis)
     VALUES (?, ?, ?, (SELECT coalesce(max(made), 0) + 1 FROM repository_analyses), ?)`,
    row.id,
    row.root,
    form,
    row.analysis,
  );
}

/** Removes all but the newest. */
export function pruneAnalyses(db: Database, keep: number): void {
  db.run(
    `DELETE FROM repository_analyses WHERE id NOT IN
       (SELECT id FROM repository_analyses ORDER BY made DESC LIMIT ?)`,
    keep,
  );
}

export function findAnalysisRow(db: Database, id: string, form: number): AnalysisRow | undefined {
  return db.get<AnalysisRow>(
    "SELECT id, root, analysis FROM repository_analyses WHERE id = ? AND form = ? AND json_valid(analysis)",
    id,
    form,
  );
}

/** Every analysis without its contents, newest first. */
export function listAnalysisRows(db: Database, form: number): { id: string; root: string }[] {
  return db.all("SELECT id, root FROM repository_analyses WHERE form = ? ORDER BY made DESC", form);
}
