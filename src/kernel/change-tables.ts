import { authored, type Tables } from "./tables.ts";

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
      // The log inside a project needs no name of the project, and no approvals.
      ...(prefix === "" ? [projectColumns, privateColumn] : []),
    ],
    [
      `${prefix}changes.actor`,
      `${prefix}changes.undo`,
      ...(prefix === "" ? ["changes.approval"] : []),
    ],
  );

const projectColumns = `
  ALTER TABLE changes ADD COLUMN project TEXT;
  ALTER TABLE changes ADD COLUMN project_name TEXT;
  ALTER TABLE changes ADD COLUMN approval TEXT;`;

const privateColumn = "ALTER TABLE changes ADD COLUMN private INTEGER;";

/** Looking for an inverse is part of every write to a project; an inverse may be very long. */
export const undoIndex: Tables = authored([
  "CREATE INDEX changes_by_undo ON changes (substr(undo, 1, 300));",
]);
