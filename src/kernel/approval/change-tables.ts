import { authoredTables, type Tables } from "../storage/migrations.ts";

/** The tables of a change log; a file with its own log uses a prefix. */
export const changeLogTables = (prefix = ""): Tables =>
  authoredTables(
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
      // A log inside a project needs no columns for the project or the approval.
      ...(prefix === "" ? [projectColumns, privateColumn] : []),
    ],
    [
      `${prefix}changes.actor`,
      `${prefix}changes.undo`,
      ...(prefix === "" ? ["changes.approval"] : []),
    ],
    // A project is a file of the user, who has backups of it; its log is not checksummed.
    prefix === "" ? ["changes"] : [],
  );

const projectColumns = `
  ALTER TABLE changes ADD COLUMN project TEXT;
  ALTER TABLE changes ADD COLUMN project_name TEXT;
  ALTER TABLE changes ADD COLUMN approval TEXT;`;

const privateColumn = "ALTER TABLE changes ADD COLUMN private INTEGER;";

/**
 * Every write to a project looks up an inverse. Inverses may be long, so only a prefix is indexed.
 */
export const undoIndexTables: Tables = authoredTables([
  "CREATE INDEX changes_by_undo ON changes (substr(undo, 1, 300));",
]);
