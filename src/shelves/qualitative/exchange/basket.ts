import type { Project } from "../project.ts";
import type { CoderContent, Made } from "./content.ts";
import type { GuidKind } from "./guids.ts";
import type { Losses } from "./losses.ts";

/** A project as it is asked for: an agent's view leaves out what is the researcher's own. */
export interface Gathering {
  project: Pick<Project, "db" | "name" | "path" | "database">;
  isWhole: boolean;
  losses: Losses;
}

/** What the parts of the gathering share. */
export interface Basket extends Gathering {
  guidOf(kind: GuidKind, row: { row: number | string; date?: string | null }): string;
  /** A memo, or what may be seen of it; `of` is the thing that it is about. */
  memoOf(memo: string | null, of: string): string;
  made(row: OwnedRow): Made;
  /** Whether this coder's work is hidden from who asks. */
  isHidden(owner: string | null | undefined): boolean;
  /** Everybody who has made something that was gathered so far. */
  coders(): CoderContent[];
}

export interface OwnedRow {
  owner?: string | null;
  date?: string | null;
}
