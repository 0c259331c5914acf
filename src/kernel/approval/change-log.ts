import { type Call, isPerson } from "../call.ts";
import type { PerformByName } from "../calls/perform.ts";
import { Failure, notFound } from "../failure.ts";
import { type EditJournal, openEditJournal } from "../files/edit-intents.ts";
import { intactRows, runChecksummed } from "../integrity/checksummed-rows.ts";
import {
  decodeNumericCursor,
  type ListPage,
  maxListItems,
  toListPage,
} from "../operations/list-page.ts";
import type { Log } from "../runtime/log.ts";
import type { ColumnValue, Database } from "../storage/database.ts";
import { readIntactRows } from "../storage/stored-json.ts";
import {
  type Approval,
  agentActedNotice,
  approvalOf,
  type Change,
  type ChangeRow,
  changeFromRow,
  editNote,
  type InverseOperation,
} from "./change.ts";
import { assertSameProject, type ProjectRef, projectWithinSql } from "./project-ref.ts";

export interface ChangeLog {
  /** The journal of file edits that are recorded here. */
  readonly intents: EditJournal;
  /**
   * Records a change; must be called in the transaction of the change. A call that is bound to a
   * project can only record changes of that project.
   */
  record(entry: ChangeEntry): Change;
  /** Newest first; with `within`, without the changes of projects outside that folder. */
  list(options?: {
    limit?: number;
    cursor?: string | undefined;
    within?: string | undefined;
    /** Omits private changes. */
    forAgent?: boolean;
  }): ListPage<Change>;
  find(id: number): Change | undefined;
  /** The newest change with exactly this inverse. */
  findUndoneBy(inverse: InverseOperation): Change | undefined;
  /**
   * Performs the inverse and returns the change that it recorded, which has an inverse too: an undo
   * can be undone. The same change cannot be undone twice.
   */
  undo(id: number, call: Call, perform: PerformByName): Promise<Change>;
  /** Throws a conflict if the change was already undone. */
  markUndone(id: number, by: number): void;
  /** Deletes the entry of a change that was never made and reopens the proposal that it settled. */
  retract(id: number): void;
}

/** The input of `record`. */
interface ChangeEntry {
  call: Call;
  operation: string;
  summary: string;
  undo?: InverseOperation;
  /** The project of the change; absent for a change of the home itself. */
  project?: ProjectRef;
  /** Hides the change from agents. */
  isPrivate?: boolean;
  /** The user's consent, if it does not follow from the call. */
  approval?: Approval | undefined;
}

/** Called in the transaction in which a change is recorded, retracted or undone. */
export interface ChangeListener {
  /** This call recorded a change. */
  onRecorded(change: Change, call: Call): void;
  /** The change was never made. */
  onRetracted(change: number): void;
  /** Returns whether the listener changed anything. */
  onUndone(change: number, by: Change): boolean;
}

export function openChangeLog(
  db: Database,
  prefix = "",
  listener?: ChangeListener,
  warnings?: Log,
): ChangeLog {
  const table = `${prefix}changes`;
  const isHomeLog = prefix === "";
  /** Only the home's log is checksummed: a project is a file of the user, who has backups of it. */
  const write = (sql: string, ...values: ColumnValue[]) =>
    isHomeLog ? runChecksummed(db, "changes", sql, ...values) : db.run(sql, ...values);

  const intact = (rows: readonly ChangeRow[]): readonly ChangeRow[] =>
    isHomeLog ? intactRows(db, "changes", rows) : rows;
  const readRow = (row: ChangeRow | undefined): Change | undefined =>
    row && intact([row]).map(changeFromRow)[0];

  const log: ChangeLog = {
    intents: openEditJournal(db),
    record({ call, operation, summary, undo, project, isPrivate, approval = approvalOf(call) }) {
      if (isHomeLog) assertSameProject(call, project);
      const recorded = db.transaction(() => {
        const { lastId } = write(
          `INSERT INTO ${table} (at, actor, call, operation, summary, undo)
           VALUES (?, ?, ?, ?, ?, ?)`,
          new Date().toISOString(),
          JSON.stringify(call.actor),
          call.id,
          operation,
          `${summary}${editNote(call)}`,
          undo ? JSON.stringify(undo) : null,
        );
        if (isHomeLog && (project || approval || isPrivate)) {
          write(
            "UPDATE changes SET project = ?, project_name = ?, approval = ?, private = ? WHERE id = ?",
            project?.root ?? null,
            project?.name ?? null,
            approval ? JSON.stringify(approval) : null,
            isPrivate ? 1 : null,
            lastId,
          );
        }
        const change = getExisting(lastId);
        listener?.onRecorded(change, call);
        if (isHomeLog && call.undoing !== undefined) markUndoneOnce(call.undoing, change, call);
        return change;
      });
      call.announce({ topic: "activity.changed" });
      if (isHomeLog && !isPerson(call)) call.announce(agentActedNotice(recorded));
      return recorded;
    },
    list({ limit = maxListItems, cursor, within, forAgent = false } = {}) {
      const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : decodeNumericCursor(cursor);
      const inScope = isHomeLog ? projectWithinSql("?2") : "?2 IS NULL";
      const visible = isHomeLog && forAgent ? `${inScope} AND private IS NULL` : inScope;
      const count = (below: number) =>
        db.get<{ count: number }>(
          `SELECT count(*) AS count FROM ${table} WHERE id < ?1 AND ${visible}`,
          below,
          within ?? null,
        )?.count ?? 0;
      const rows = db.all<ChangeRow>(
        `SELECT * FROM ${table} WHERE id < ?1 AND ${visible} ORDER BY id DESC LIMIT ?3`,
        before,
        within ?? null,
        limit,
      );
      const items = readIntactRows(intact(rows), changeFromRow, warnings);
      return toListPage(items, {
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
      const { undo, undoneBy, summary, project } = getExisting(id);
      if (undoneBy !== undefined) throw alreadyUndone(id, undoneBy);
      if (!undo) {
        throw new Failure("conflict", "not-undoable", `Change ${id} cannot be undone: ${summary}.`);
      }
      const boundCall = { ...call, undoing: id, ...(project && { project: project.root }) };
      const result = await perform(undo.operation, undo.input, boundCall);
      if (!result.ok) throw result.failure ?? requiresAnswer(undo.operation);
      const { undoneBy: by } = getExisting(id);
      if (by !== undefined) return getExisting(by);
      // The inverse recorded no change.
      return log.record({
        call: boundCall,
        operation: undo.operation,
        summary: `Undid: ${summary}`,
        ...(project && { project }),
      });
    },
    markUndone: (id, by) => markUndone(id, getExisting(by)),
    retract(id) {
      db.transaction(() => {
        write(`UPDATE ${table} SET undone_by = NULL WHERE undone_by = ?`, id);
        write(`DELETE FROM ${table} WHERE id = ?`, id);
        listener?.onRetracted(id);
      });
    },
  };
  return log;

  function getExisting(id: number): Change {
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
    if (changes === 0) throw alreadyUndone(id, getExisting(id).undoneBy);
    if (listener?.onUndone(id, by)) call?.announce({ topic: "proposals.changed" });
  }

  /** A call may record several changes; only the first is recorded as the undoing one. */
  function markUndoneOnce(id: number, by: Change, call: Call): void {
    const { undoneBy } = getExisting(id);
    const isMarked = undoneBy !== undefined && log.find(undoneBy)?.call === call.id;
    if (!isMarked) markUndone(id, by, call);
  }
}

const alreadyUndone = (id: number, by: number | undefined): Failure =>
  new Failure("conflict", "already-undone", `Change ${id} was already undone.`, {
    hints: by === undefined ? [] : [`Undo change ${by} to restore it.`],
  });

/** An inverse or an accepted proposal cannot ask questions. */
export const requiresAnswer = (operation: string): Failure =>
  new Failure(
    "conflict",
    "asks",
    `${operation} asks a question first, so it must be called directly.`,
  );
