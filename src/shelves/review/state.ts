import type { ChangeLog } from "../../kernel/approval/change-log.ts";
import type { Proposals } from "../../kernel/approval/proposals.ts";
import type { PerformByName } from "../../kernel/calls/perform.ts";
import type { Settings } from "../../kernel/home/settings.ts";
import type { Boundary } from "../../kernel/paths/boundary.ts";
import type { Store } from "../../kernel/storage/store.ts";

/** The dependencies of the shelf: proposals, changes, and the means to perform their operations. */
export interface ReviewState {
  readonly proposals: Proposals;
  readonly changes: ChangeLog;
  readonly performByName: PerformByName;
  readonly boundary: Boundary;
  readonly settings: Pick<Settings, "forceRoot">;
  readonly store: Store;
}

export const openReview = ({
  proposals,
  changes,
  performByName,
  boundary,
  settings,
  store,
}: ReviewState): ReviewState => ({
  proposals,
  changes,
  performByName,
  boundary,
  settings,
  store,
});
