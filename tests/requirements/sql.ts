/** Requirements for SQL statements of callers. */
export const sql = {
  "objects.sql.abort": "aborting ends only the caller's own statement",
  "objects.sql.answer": "columns keep their order and names, rows keep their order",
  "objects.sql.bytes": "results larger than 8 MB are refused",
  "objects.sql.campaign":
    "hostile statements change nothing, and the statement after each returns the right answer",
  "objects.sql.close": "closing ends running and queued statements",
  "objects.sql.computes": "pure SQL functions are available",
  "objects.sql.deadline": "a statement is stopped at its time limit, and the next one runs",
  "objects.sql.empty": "input without a statement is reported as empty",
  "objects.sql.endless-page": "a page is returned even if the result never ends",
  "objects.sql.fair": "one client's statements do not delay another client",
  "objects.sql.faulty-set":
    "a dataset that does not match its description fails, and a valid one is loaded",
  "objects.sql.flood":
    "endless statements on many connections do not prevent a short one from being answered",
  "objects.sql.functions": "functions with side effects are refused",
  "objects.sql.guard": "the connection itself refuses to write",
  "objects.sql.internals": "SQLite's internal tables are hidden",
  "objects.sql.killed": "if the child process is killed, only its statement fails",
  "objects.sql.large-values": "a value larger than 16 MB is refused",
  "objects.sql.life": "the first statement starts the child process, and it exits when idle",
  "objects.sql.memory": "a statement that exceeds the memory limit is stopped",
  "objects.sql.not-read-only": "a statement that does more than read is refused as not read-only",
  "objects.sql.odd-texts":
    "U+0000, parameters and oversized texts are refused before anything runs",
  "objects.sql.one-statement":
    "a second statement is refused, with the code for writing if it writes",
  "objects.sql.order": "a stuck statement delays later ones at most until its time limit",
  "objects.sql.orphan": "a child process that is running a statement ends silently with its parent",
  "objects.sql.page": "a page starts at the offset, and the remaining rows are counted",
  "objects.sql.parts": "a change is visible immediately, and unchanged parts are not loaded again",
  "objects.sql.reads": "read-only statements are run unchanged",
  "objects.sql.reshaped": "a dataset whose tables changed is rebuilt",
  "objects.sql.sets": "datasets are separate, and an evicted one is sent again",
  "objects.sql.syntax": "a syntax error is reported with SQLite's message only",
  "objects.sql.values": "every value is converted to JSON without loss",
  "objects.sql.views":
    "an attached file can be queried through its views, together with the tables",
  "objects.sql.views-fresh": "a view shows what others write to its file",
  "objects.sql.views-missing": "an attached file that is unavailable is reported without its path",
  "objects.sql.views-only": "only the views of an attached file are accessible",
};
