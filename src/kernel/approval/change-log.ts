import { type Call, isPerson } from "../call.ts";
import type { PerformByName } from "../calls/perform.ts";
import { Failure, notFound } from "../failure.ts";
import { intactRows, runChecksummed } from "../integrity/checksummed-rows.ts";
import {
  decodeNumericCursor,
  type ListPage,
  maxListItems,
  toListPage,
} from "../operations/list-page.ts";
import type { Log } from "../runtime/log.ts";
import type { ColumnValue } from "../storage/database.ts";
import { all, get, type Steps, transaction } from "../storage/steps.ts";
import type { Store } from "../storage/store.ts";
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
  /**
   * Records a change; must be called in the transaction of the change. A call that is bound to a
   * project can only record changes of that project.
   */
  record(entry: ChangeEntry): Steps<Change>;
  /** Newest first; with `within`, without the changes of projects outside that folder. */
  list(options?: {
    limit?: number;
    cursor?: string | undefined;
    within?: string | undefined;
    /** Omits private changes. */
    forAgent?: boolean;
  }): Steps<ListPage<Change>>;
  find(id: number): Steps<Change | undefined>;
  /** The newest change with exactly this inverse. */
  findUndoneBy(inverse: InverseOperation): Steps<Change | undefined>;
  /**
   * Performs the inverse and returns the change that it recorded, which has an inverse too: an undo
   * can be undone. The same change cannot be undone twice.
   */
  undo(id: number, call: Call, means: Performing): Promise<Change>;
  /** Throws a conflict if the change was already undone. */
  markUndone(id: number, by: number): Steps<void>;
  /** Deletes the entry of a change that was never made and reopens the proposal that it settled. */
  retract(id: number): Steps<void>;
}

/** What performs the operation of an undo or of an accepted proposal. */
export interface Performing {
  performByName: PerformByName;
  store: Store;
}

/** The input of `record`. */
export interface ChangeEntry {
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
  onRecorded(change: Change, call: Call): Steps<void>;
  /** The change was never made. */
  onRetracted(change: number): Steps<void>;
  /** Returns whether the listener changed anything. */
  onUndone(change: number, by: Change): Steps<boolean>;
}

export function openChangeLog(prefix = "", listener?: ChangeListener, warnings?: Log): ChangeLog {
  const table = `${prefix}changes`;
  const isHomeLog = prefix === "";
  /**
   * Returns the ids of the rows. Only the home's log is checksummed: a project is a file of the user,
   * who has backups of it.
   */
  function* write(sql: string, ...values: ColumnValue[]): Steps<readonly number[]> {
    if (isHomeLog) return yield* runChecksummed("changes", sql, ...values);
    return (yield* all<{ id: number }>(`${sql} RETURNING id`, ...values)).map(({ id }) => id);
  }

  function* intact(rows: readonly ChangeRow[]): Steps<readonly ChangeRow[]> {
    return isHomeLog ? yield* intactRows("changes", rows) : rows;
  }
  function* readRow(row: ChangeRow | undefined): Steps<Change | undefined> {
    return row && (yield* intact([row])).map(changeFromRow)[0];
  }

  const log: ChangeLog = {
    *record({ call, operation, summary, undo, project, isPrivate, approval = approvalOf(call) }) {
      if (isHomeLog) assertSameProject(call, project);
      const recorded = yield* transaction(function* () {
        const [id = 0] = yield* write(
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
          yield* write(
            "UPDATE changes SET project = ?, project_name = ?, approval = ?, private = ? WHERE id = ?",
            project?.root ?? null,
            project?.name ?? null,
            approval ? JSON.stringify(approval) : null,
            isPrivate ? 1 : null,
            id,
          );
        }
        const change = yield* getExisting(id);
        if (listener) yield* listener.onRecorded(change, call);
        if (isHomeLog && call.undoing !== undefined)
          yield* markUndoneOnce(call.undoing, change, call);
        return change;
      });
      call.announce({ topic: "activity.changed" });
      if (isHomeLog && !isPerson(call)) call.announce(agentActedNotice(recorded));
      return recorded;
    },
    *list({ limit = maxListItems, cursor, within, forAgent = false } = {}) {
      const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : decodeNumericCursor(cursor);
      const inScope = isHomeLog ? projectWithinSql("?2") : "?2 IS NULL";
      const visible = isHomeLog && forAgent ? `${inScope} AND private IS NULL` : inScope;
      function* count(below: number): Steps<number> {
        const row = yield* get<{ count: number }>(
          `SELECT count(*) AS count FROM ${table} WHERE id < ?1 AND ${visible}`,
          below,
          within ?? null,
        );
        return row?.count ?? 0;
      }
      const rows = yield* all<ChangeRow>(
        `SELECT * FROM ${table} WHERE id < ?1 AND ${visible} ORDER BY id DESC LIMIT ?3`,
        before,
        within ?? null,
        limit,
      );
      const items = readIntactRows(yield* intact(rows), changeFromRow, warnings);
      return toListPage(items, {
        total: yield* count(Number.MAX_SAFE_INTEGER),
        remaining: yield* count(items.at(-1)?.id ?? 0),
        keyOf: ({ id }) => String(id),
      });
    },
    *find(id) {
      return yield* readRow(yield* get<ChangeRow>(`SELECT * FROM ${table} WHERE id = ?`, id));
    },
    *findUndoneBy({ operation, input }) {
      const row = yield* get<ChangeRow>(
        `SELECT * FROM ${table}
          WHERE undo = ?1 AND substr(undo, 1, 300) = substr(?1, 1, 300) ORDER BY id DESC LIMIT 1`,
        JSON.stringify({ operation, input }),
      );
      return yield* readRow(row);
    },
    async undo(id, call, { performByName, store }) {
      const { undo, undoneBy, summary, project } = await store.run(getExisting(id));
      if (undoneBy !== undefined) throw alreadyUndone(id, undoneBy);
      if (!undo) {
        throw new Failure("conflict", "not-undoable", `Change ${id} cannot be undone: ${summary}.`);
      }
      const boundCall = { ...call, undoing: id, ...(project && { project: project.root }) };
      const result = await performByName(undo.operation, undo.input, boundCall);
      if (!result.ok) throw result.failure ?? requiresAnswer(undo.operation);
      return await store.run(recordedUndo());

      function* recordedUndo(): Steps<Change> {
        const { undoneBy: by } = yield* getExisting(id);
        if (by !== undefined) return yield* getExisting(by);
        // The inverse recorded no change.
        return yield* log.record({
          call: boundCall,
          operation: undo?.operation ?? "",
          summary: `Undid: ${summary}`,
          ...(project && { project }),
        });
      }
    },
    *markUndone(id, by) {
      yield* markUndone(id, yield* getExisting(by));
    },
    *retract(id) {
      yield* transaction(function* () {
        yield* write(`UPDATE ${table} SET undone_by = NULL WHERE undone_by = ?`, id);
        yield* write(`DELETE FROM ${table} WHERE id = ?`, id);
        if (listener) yield* listener.onRetracted(id);
      });
    },
  };
  return log;

  function* getExisting(id: number): Steps<Change> {
    const change = yield* log.find(id);
    if (!change) throw notFound(`Change not found: ${id}`, ["`activity` lists the changes."]);
    return change;
  }

  function* markUndone(id: number, by: Change, call?: Call): Steps<void> {
    const [marked] = yield* write(
      `UPDATE ${table} SET undone_by = ? WHERE id = ? AND undone_by IS NULL`,
      by.id,
      id,
    );
    if (marked === undefined) throw alreadyUndone(id, (yield* getExisting(id)).undoneBy);
    if (listener && (yield* listener.onUndone(id, by))) {
      call?.announce({ topic: "proposals.changed" });
    }
  }

  /** A call may record several changes; only the first is recorded as the undoing one. */
  function* markUndoneOnce(id: number, by: Change, call: Call): Steps<void> {
    const { undoneBy } = yield* getExisting(id);
    const isMarked = undoneBy !== undefined && (yield* log.find(undoneBy))?.call === call.id;
    if (!isMarked) yield* markUndone(id, by, call);
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
