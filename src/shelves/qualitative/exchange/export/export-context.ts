import type { QdaProject } from "../../project/project.ts";
import type { Authorship, CoderContent } from "../content.ts";
import type { LossReport } from "../losses.ts";
import type { GuidKind } from "../stored-guids.ts";

/** A project to export; an agent's view leaves out private data. */
export interface ExportRequest {
  project: Pick<QdaProject, "db" | "name" | "path" | "database">;
  isWhole: boolean;
  losses: LossReport;
}

/** Shared by the collectors of an export. */
export interface ExportContext extends ExportRequest {
  guidOf(kind: GuidKind, row: { row: number | string; date?: string | null }): string;
  /** A memo, or its shared part; `of` names its item in the loss report. */
  memoOf(memo: string | null, of: string): string;
  authorshipOf(row: OwnedRow): Authorship;
  /** Whether the caller may not see this coder's work. */
  isHidden(owner: string | null | undefined): boolean;
  /** The owners of all items collected so far. */
  coders(): CoderContent[];
}

export interface OwnedRow {
  owner?: string | null;
  date?: string | null;
}
