import type { ChangeListener } from "./change-log.ts";
import type { Database } from "./database.ts";
import { runSealed } from "./sealed-rows.ts";

/** How decided proposals come to wait again, in the transaction of whatever made them do so. */
export interface Reopening extends Pick<ChangeListener, "onRetracted" | "onUndone"> {
  /** Gives whether the proposal had been rejected or withdrawn. */
  letRefusedWait(id: number): boolean;
}

export function openReopening(db: Database): Reopening {
  /** As if nobody had decided. `undoneBy` is the change to undo for them to be accepted again. */
  function letWait(which: string, key: number, undoneBy: number | null = null): boolean {
    const { changes } = runSealed(
      db,
      "proposals",
      `UPDATE proposals
          SET status = 'pending', decided_at = NULL, decided_by = NULL, reason = NULL,
              edited = NULL, result = NULL, change = NULL, undone_by = ?
        WHERE ${which}`,
      undoneBy,
      key,
    );
    return changes > 0;
  }

  return {
    letRefusedWait: (id) => letWait("id = ? AND status IN ('rejected', 'withdrawn')", id),
    onRetracted(change) {
      letWait("change = ?", change);
    },
    onUndone(change, by) {
      // A rejection is undone by an operation of its own.
      const isReopened = letWait("change = ? AND status = 'accepted'", change, by.id);
      const { changes } = runSealed(
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
