import { runChecksummed } from "../integrity/checksummed-rows.ts";
import type { Database } from "../storage/database.ts";
import type { ChangeListener } from "./change-log.ts";

/** Reopens decided proposals, in the transaction of the change that causes it. */
export interface ProposalReopener extends Pick<ChangeListener, "onRetracted" | "onUndone"> {
  /** Returns whether the proposal was rejected or withdrawn. */
  reopenRefused(id: number): boolean;
}

export function openProposalReopener(db: Database): ProposalReopener {
  /** Resets the decision. `undoneBy` is the change whose undo accepts the proposal again. */
  function reopenWhere(condition: string, key: number, undoneBy: number | null = null): boolean {
    const { changes } = runChecksummed(
      db,
      "proposals",
      `UPDATE proposals
          SET status = 'pending', decided_at = NULL, decided_by = NULL, reason = NULL,
              edited = NULL, result = NULL, change = NULL, undone_by = ?
        WHERE ${condition}`,
      undoneBy,
      key,
    );
    return changes > 0;
  }

  return {
    reopenRefused: (id) => reopenWhere("id = ? AND status IN ('rejected', 'withdrawn')", id),
    onRetracted(change) {
      reopenWhere("change = ?", change);
    },
    onUndone(change, by) {
      // Undoing a rejection is handled by `reopen_proposal`.
      const isReopened = reopenWhere("change = ? AND status = 'accepted'", change, by.id);
      const { changes } = runChecksummed(
        db,
        "proposals",
        `UPDATE proposals
            SET status = 'accepted', decided_at = ?, decided_by = ?, change = ?, undone_by = NULL
          WHERE undone_by = ? AND status = 'pending'`,
        by.at,
        JSON.stringify(by.actor),
        by.id,
        change,
      );
      return isReopened || changes > 0;
    },
  };
}
