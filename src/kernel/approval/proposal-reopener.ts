import { runChecksummed } from "../integrity/checksummed-rows.ts";
import type { Steps } from "../storage/steps.ts";
import type { Change } from "./change.ts";

/** Resets the decision of proposals, in the transaction of the change that causes it. */
function* reopenWhere(
  condition: string,
  key: number,
  /** The change whose undo accepts the proposal again. */
  undoneBy: number | null = null,
): Steps<boolean> {
  const reopened = yield* runChecksummed(
    "proposals",
    `UPDATE proposals
        SET status = 'pending', decided_at = NULL, decided_by = NULL, reason = NULL,
            edited = NULL, result = NULL, change = NULL, undone_by = ?
      WHERE ${condition}`,
    undoneBy,
    key,
  );
  return reopened.length > 0;
}

/** Returns whether the proposal was rejected or withdrawn. */
export const reopenRefused = (id: number): Steps<boolean> =>
  reopenWhere("id = ? AND status IN ('rejected', 'withdrawn')", id);

/** The change that settled the proposal was never made. */
export function* reopenRetracted(change: number): Steps<void> {
  yield* reopenWhere("change = ?", change);
}

/** Undoing a rejection is handled by `reopen_proposal`. Returns whether a proposal changed. */
export function* reopenUndone(change: number, by: Change): Steps<boolean> {
  const isReopened = yield* reopenWhere("change = ? AND status = 'accepted'", change, by.id);
  const accepted = yield* runChecksummed(
    "proposals",
    `UPDATE proposals
        SET status = 'accepted', decided_at = ?, decided_by = ?, change = ?, undone_by = NULL
      WHERE undone_by = ? AND status = 'pending'`,
    by.at,
    JSON.stringify(by.actor),
    by.id,
    change,
  );
  return isReopened || accepted.length > 0;
}
