import { listCap, numberFrom, type Page, page } from "./bounded.ts";
import type { Actor, Call } from "./call.ts";
import type { Database } from "./database.ts";
import { Failure, notFound } from "./failure.ts";
import { type Intents, openIntents } from "./intents.ts";
import { readKept } from "./kept-json.ts";
import type { PerformByName } from "./perform.ts";
import { authored, type Tables } from "./tables.ts";

/** Who did what, by which call, and how to undo it. */
export interface Change {
  id: number;
  /** ISO 8601. */
  at: string;
  actor: Actor;
  call: string;
  operation: string;
  /** A sentence for people: `Removed collection 'notes'`. */
  summary: string;
  /** The inverse as a value: performing it takes the change back. */
  undo?: Inverse;
  /** The change that took this one back. */
  undoneBy?: number;
}

export interface Inverse {
  operation: string;
  input: Record<string, unknown>;
}

export interface ChangeLog {
  /** What is about to be written to files, and told here. */
  readonly intents: Intents;
  /** To be called in the transaction of the change, so that it is told exactly when it is done. */
  record(entry: { call: Call; operation: string; summary: string; undo?: Inverse }): Change;
  /** The newest first. */
  list(options?: { limit?: number; cursor?: string | undefined }): Page<Change>;
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
  /** Takes an entry out again whose change was never made, and with it what was done alongside. */
  retract(id: number): void;
  /**
   * Runs work, and `also` in the transaction in which its call first records a change: both
   * happen, or neither. Gives that change, or nothing where none was recorded.
   */
  alongside<Result>(
    call: Call,
    also: (change: Change) => void,
    work: () => Promise<Result>,
  ): Promise<{ result: Result; change: Change | undefined }>;
}

/** A file that carries a log of its own names its tables by a prefix. */
export const changeLogTables = (prefix = ""): Tables =>
  authored(
    [
      `CREATE TABLE ${prefix}changes (
       id INTEGER PRIMARY KEY AUTOINCREMENT,
       at TEXT NOT NULL,
       actor TEXT NOT NULL,
       call TEXT NOT NULL,
       operation TEXT NOT NULL,
       summary TEXT NOT NULL,
       undo TEXT,
       undone_by INTEGER
     );`,
    ],
    [`${prefix}changes.actor`, `${prefix}changes.undo`],
  );

/** Looking for an inverse is part of every write to a project; an inverse may be very long. */
export const undoIndex: Tables = authored([
  "CREATE INDEX changes_by_undo ON changes (substr(undo, 1, 300));",
]);

/** `onRetract` takes back what it keeps about a change, in the same transaction. */
export function openChangeLog(
  db: Database,
  prefix = "",
  onRetract?: (change: number) => void,
): ChangeLog {
  const table = `${prefix}changes`;
  const companions = new Map<string, (change: Change) => void>();

  const log: ChangeLog = {
    intents: openIntents(db),
    record({ call, operation, summary, undo }) {
      const recorded = db.transaction(() => {
        const { lastId } = db.run(
          `INSERT INTO ${table} (at, actor, call, operation, summary, undo)
           VALUES (?, ?, ?, ?, ?, ?)`,
          new Date().toISOString(),
          JSON.stringify(call.actor),
          call.id,
          operation,
          `${summary}${authorship(call)}`,
          undo ? JSON.stringify(undo) : null,
        );
        const change = existing(lastId);
        companions.get(call.id)?.(change);
        return change;
      });
      companions.delete(call.id);
      call.announce({ topic: "activity.changed" });
      return recorded;
    },
    list({ limit = listCap, cursor } = {}) {
      const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : numberFrom(cursor);
      const count = (below: number) =>
        db.get<{ count: number }>(`SELECT count(*) AS count FROM ${table} WHERE id < ?`, below)
          ?.count ?? 0;
      const items = db
        .all<Row>(`SELECT * FROM ${table} WHERE id < ? ORDER BY id DESC LIMIT ?`, before, limit)
        .map(changeOf);
      return page(items, {
        total: count(Number.MAX_SAFE_INTEGER),
        remaining: count(items.at(-1)?.id ?? 0),
        keyOf: ({ id }) => String(id),
      });
    },
    find(id) {
      const row = db.get<Row>(`SELECT * FROM ${table} WHERE id = ?`, id);
      return row && changeOf(row);
    },
    findUndoneBy({ operation, input }) {
      const row = db.get<Row>(
        `SELECT * FROM ${table}
          WHERE substr(undo, 1, 300) = substr(?1, 1, 300) AND undo = ?1 ORDER BY id DESC LIMIT 1`,
        JSON.stringify({ operation, input }),
      );
      return row && changeOf(row);
    },
    async undo(id, call, perform) {
      const { undo, undoneBy, summary } = existing(id);
      if (undoneBy !== undefined) throw undoneAlready(id, undoneBy);
      if (!undo) {
        throw new Failure("conflict", "not-undoable", `Change ${id} cannot be undone: ${summary}.`);
      }
      const { result, change } = await log.alongside(
        call,
        (inverse) => log.markUndone(id, inverse.id),
        () => perform(undo.operation, undo.input, call),
      );
      if (!result.ok) throw result.failure ?? asksSomething(undo.operation);
      return change ?? recordInverse(id, `Undid: ${summary}`, undo.operation, call);
    },
    markUndone(id, by) {
      const { changes } = db.run(
        `UPDATE ${table} SET undone_by = ? WHERE id = ? AND undone_by IS NULL`,
        by,
        id,
      );
      if (changes === 0) throw undoneAlready(id, existing(id).undoneBy);
    },
    retract(id) {
      db.transaction(() => {
        db.run(`UPDATE ${table} SET undone_by = NULL WHERE undone_by = ?`, id);
        db.run(`DELETE FROM ${table} WHERE id = ?`, id);
        onRetract?.(id);
      });
    },
    async alongside(call, also, work) {
      let recorded = 0;
      companions.set(call.id, (change) => {
        also(change);
        recorded = change.id;
      });
      try {
        const result = await work();
        // It is not there when the transaction it was recorded in has been rolled back.
        const change = log.find(recorded);
        return { result, change: change?.call === call.id ? change : undefined };
      } finally {
        companions.delete(call.id);
      }
    },
  };
  return log;

  function existing(id: number): Change {
    const change = log.find(id);
    if (!change) throw notFound(`Change not found: ${id}`, ["`activity` lists the changes."]);
    return change;
  }

  /** For an inverse that writes no log itself. */
  function recordInverse(id: number, summary: string, operation: string, call: Call): Change {
    return db.transaction(() => {
      const change = log.record({ call, operation, summary });
      log.markUndone(id, change.id);
      return change;
    });
  }
}

/** What a person has changed in a proposal is told as theirs, and no longer as the agent's. */
const authorship = ({ accepting }: Call): string =>
  accepting?.isEdited ? `, as a person has edited proposal ${accepting.proposal}` : "";

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

interface Row {
  id: number;
  at: string;
  actor: string;
  call: string;
  operation: string;
  summary: string;
  undo: string | null;
  undone_by: number | null;
}

function changeOf({ undo, undone_by, actor, ...row }: Row): Change {
  return {
    ...row,
    actor: readKept<Actor>(actor),
    ...(undo !== null && { undo: readKept<Inverse>(undo) }),
    ...(undone_by !== null && { undoneBy: undone_by }),
  };
}
