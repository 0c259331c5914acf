import type { Boundary } from "../../kernel/boundary.ts";
import type { ChangeLog } from "../../kernel/change-log.ts";
import type { PerformByName } from "../../kernel/perform.ts";
import type { Proposals } from "../../kernel/proposals.ts";
import type { Settings } from "../../kernel/settings.ts";

/** What the desk needs of the house: two lists, and a way to perform what stands in them. */
export interface Desk {
  readonly proposals: Proposals;
  readonly changes: ChangeLog;
  readonly performByName: PerformByName;
  readonly boundary: Boundary;
  readonly settings: Pick<Settings, "forceRoot">;
}

export const openDesk = ({
  proposals,
  changes,
  performByName,
  boundary,
  settings,
}: Desk): Desk => ({
  proposals,
  changes,
  performByName,
  boundary,
  settings,
});

/** The folder outside of which nothing is shown, by its real path; none without a force root. */
export const shownFolder = ({ boundary, settings: { forceRoot } }: Desk): string | undefined =>
  forceRoot === undefined ? undefined : boundary.unrestricted.enter(forceRoot);
