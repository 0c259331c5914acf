import { listCap, numberFrom, type Page, page } from "./bounded.ts";
import { type Call, isPerson } from "./call.ts";
import {
  type Approval,
  actedNotice,
  approvalOf,
  authorship,
  type Change,
  type ChangeRow,
  changeOf,
  type Inverse,
} from "./change.ts";
import type { Database, Value } from "./database.ts";
import { Failure, notFound } from "./failure.ts";
import { type Intents, openIntents } from "./intents.ts";
import { readEach } from "./kept-json.ts";
import type { Log } from "./log.ts";
import type { PerformByName } from "./perform.ts";
import { type ProjectRoot, refuseOtherProject, shownBelow } from "./project-root.ts";
import { runSealed, soundRows } from "./sealed-rows.ts";

export interface ChangeLog {
  /** What is about to be written to files, and told here. */
  readonly intents: Intents;
  /**
   * To be called in the transaction of the change, so that it is told exactly when it is done. A
   * call that is bound to a project records changes of that project only.
   */
  record(entry: ChangeEntry): Change;
  /** The newest first; where a folder is given, without the changes of projects outside it. */
  list(options?: {
    limit?: number;
    cursor?: string | undefined;
    within?: string | undefined;
    /** Leaves out changes that only a person may know of. */
    forAgent?: boolean;
  }): Page<Change>;
  find(id: number): Change | undefined;
  /** The newest change that is taken back by exactly this. */
  findUndoneBy(inverse: Inverse): Change | undefined;
  /**
   * Performs the inverse and gives the change that this made. That one has an inverse of its own,
   * so an undo can be undone; the same change cannot be undone twice.
   */
  undo(id: number, call: Call, perform: PerformByName): Promise<Change>;
  /** Conflict where the change is undone already. */
  markUndone(id: number, by: number): void;
  /** Takes an entry out again whose change was never made, and what was settled with it. */
  retract(id: number): void;
}

/** What is recorded of a change. */
interface ChangeEntry {
  call: Call;
  operation: string;
  summary: string;
  undo?: Inverse;
  /** Where the change is made; left out for a change of the home itself. */
  project?: ProjectRoot;
  /** Is about something private: agents do not see it in the list. */
  isPrivate?: boolean;
  /** How a person agreed, where the call itself does not tell. */
  approval?: Approval | undefined;
}

/** Is told, in the same transaction, what becomes of changes that were recorded before. */
export interface ChangeListener {
  /** A change was recorded by this call. */
  onRecorded(change: Change, call: Call): void;
  /** The change was never made. */
  onRetracted(change: number): void;
  /** Gives whether anything followed from it. */
  onUndone(change: number, by: Change): boolean;
}

export function openChangeLog(
  db: Database,
  prefix = "",
  listener?: ChangeListener,
  warnings?: Log,
): ChangeLog {
  const table = `${prefix}changes`;
  const isOfHome = prefix === "";
  /** A project is a person's own file, of which there are backups. */
  const write = (sql: string, ...values: Value[]) =>
    isOfHome ? runSealed(db, "changes", sql, ...values) : db.run(sql, ...values);

  const sound = (rows: readonly ChangeRow[]): readonly ChangeRow[] =>
    isOfHome ? soundRows(db, "changes", rows) : rows;
  const readRow = (row: ChangeRow | undefined): Change | undefined =>
    row && sound([row]).map(changeOf)[0];

  const log: ChangeLog = {
    intents: openIntents(db),
    record({ call, operation, summary, undo, project, isPrivate, approval = approvalOf(call) }) {
      if (isOfHome) refuseOtherProject(call, project);
      const recorded = db.transaction(() => {
        const { lastId } = write(
          `INSERT INTO ${table} (at, actor, call, operation, summary, undo)
           VALUES (?, ?, ?, ?, ?, ?)`,
          new Date().toISOString(),
          JSON.stringify(call.actor),
          call.id,
          operation,
          `${summary}${authorship(call)}`,
          undo ? JSON.stringify(undo) : null,
        );
        if (isOfHome && (project || approval || isPrivate)) {
          write(
            "UPDATE changes SET project = ?, project_name = ?, approval = ?, private = ? WHERE id = ?",
            project?.root ?? null,
            project?.name ?? null,
            approval ? JSON.stringify(approval) : null,
            isPrivate ? 1 : null,
            lastId,
          );
        }
        const change = existing(lastId);
        listener?.onRecorded(change, call);
        if (isOfHome && call.undoing !== undefined) markUndoneOnce(call.undoing, change, call);
        return change;
      });
      call.announce({ topic: "activity.changed" });
      if (isOfHome && !isPerson(call)) call.announce(actedNotice(recorded));
      return recorded;
    },
    list({ limit = listCap, cursor, within, forAgent = false } = {}) {
      const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : numberFrom(cursor);
      const place = isOfHome ? shownBelow("?2") : "?2 IS NULL";
      const shown = isOfHome && forAgent ? `${place} AND private IS NULL` : place;
      const count = (below: number) =>
        db.get<{ count: number }>(
          `SELECT count(*) AS count FROM ${table} WHERE id < ?1 AND ${shown}`,
          below,
          within ?? null,
        )?.count ?? 0;
      const rows = db.all<ChangeRow>(
        `SELECT * FROM ${table} WHERE id < ?1 AND ${shown} ORDER BY id DESC LIMIT ?3`,
        before,
        within ?? null,
        limit,
      );
      const items = readEach(sound(rows), changeOf, warnings);
      return page(items, {
        total: count(Number.MAX_SAFE_INTEGER),
        remaining: count(items.at(-1)?.id ?? 0),
        keyOf: ({ id }) => String(id),
      });
    },
    find(id) {
      return readRow(db.get<ChangeRow>(`SELECT * FROM ${table} WHERE id = ?`, id));
    },
    findUndoneBy({ operation, input }) {
      const row = db.get<ChangeRow>(
        `SELECT * FROM ${table}
          WHERE substr(undo, 1, 300) = substr(?1, 1, 300) AND undo = ?1 ORDER BY id DESC LIMIT 1`,
        JSON.stringify({ operation, input }),
      );
      return readRow(row);
    },
    async undo(id, call, perform) {
      const { undo, undoneBy, summary, project } = existing(id);
      if (undoneBy !== undefined) throw undoneAlready(id, undoneBy);
      if (!undo) {
        throw new Failure("conflict", "not-undoable", `Change ${id} cannot be undone: ${summary}.`);
      }
      const bound = { ...call, undoing: id, ...(project && { project: project.root }) };
      const result = await perform(undo.operation, undo.input, bound);
      if (!result.ok) throw result.failure ?? asksSomething(undo.operation);
      const { undoneBy: by } = existing(id);
      if (by !== undefined) return existing(by);
      // The inverse writes no log itself.
      return log.record({
        call: bound,
        operation: undo.operation,
        summary: `Undid: ${summary}`,
        ...(project && { project }),
      });
    },
    markUndone: (id, by) => markUndone(id, existing(by)),
    retract(id) {
      db.transaction(() => {
        write(`UPDATE ${table} SET undone_by = NULL WHERE undone_by = ?`, id);
        write(`DELETE FROM ${table} WHERE id = ?`, id);
        listener?.onRetracted(id);
      });
    },
  };
  return log;

  function existing(id: number): Change {
    const change = log.find(id);
    if (!change) throw notFound(`Change not found: ${id}`, ["`activity` lists the changes."]);
    return change;
  }

  function markUndone(id: number, by: Change, call?: Call): void {
    const { changes } = write(
      `UPDATE ${table} SET undone_by = ? WHERE id = ? AND undone_by IS NULL`,
      by.id,
      id,
    );
    if (changes === 0) throw undoneAlready(id, existing(id).undoneBy);
    if (listener?.onUndone(id, by)) call?.announce({ topic: "proposals.changed" });
  }

  /** A call may record several changes; the first of them is the one that undoes. */
  function markUndoneOnce(id: number, by: Change, call: Call): void {
    const { undoneBy } = existing(id);
    const isMarked = undoneBy !== undefined && log.find(undoneBy)?.call === call.id;
    if (!isMarked) markUndone(id, by, call);
  }
}

const undoneAlready = (id: number, by: number | undefined): Failure =>
  new Failure("conflict", "already-undone", `Change ${id} was undone already.`, {
    hints: by === undefined ? [] : [`Undo change ${by} to bring it back.`],
  });

/** An inverse, or an accepted proposal, must run without a conversation. */
export const asksSomething = (operation: string): Failure =>
  new Failure(
    "conflict",
    "asks",
    `${operation} asks a question first, so it must be called itself.`,
  );
