import type { ChangeLog } from "../../kernel/change-log.ts";
import type { PerformByName } from "../../kernel/perform.ts";
import type { Proposals } from "../../kernel/proposals.ts";

/** What the desk needs of the house: two lists, and a way to perform what stands in them. */
export interface Desk {
  readonly proposals: Proposals;
  readonly changes: ChangeLog;
  readonly performByName: PerformByName;
}

export const openDesk = ({ proposals, changes, performByName }: Desk): Desk => ({
  proposals,
  changes,
  performByName,
});
