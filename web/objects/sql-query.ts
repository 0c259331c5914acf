import { computed, signal } from "@preact/signals";
import { call } from "../server/client.ts";
import { createLiveQuery } from "../server/live-query.ts";
import { objectItem, objectsPart, workspacePath } from "./objects-address.ts";

/** The query of the URL, so that it can be shared and the history works. */
export const sqlStatement = computed(() =>
  objectsPart.value === "sql" ? objectItem.value.trim() : "",
);

/** The maximum number of rows per answer. */
export const maxRows = 1_000;
export const rowLimit = signal(200);

export const sqlRows = createLiveQuery((signal) =>
  workspacePath.value && sqlStatement.value
    ? call(
        "qmdc_query_sql",
        { path: workspacePath.value, sql: sqlStatement.value, limit: rowLimit.value },
        signal,
      )
    : undefined,
);

/** The server creates the tables of other shelves if the query mentions them, even in a comment. */
const sharedTablesComment = "-- decisions documents codes segments";

const ownTables = `SELECT name, sql FROM sqlite_schema WHERE type = 'table' ORDER BY name ${sharedTablesComment}`;
const documentTable = `SELECT * FROM documents LIMIT 0 ${sharedTablesComment}`;
const storedQueries = `SELECT __id, __label FROM objects WHERE __kind = 'Query' ORDER BY __label ${sharedTablesComment}`;

interface Table {
  name: string;
  columns: string[];
}

/** The tables, and the stored queries. */
export const sqlTables = createLiveQuery((signal) => {
  const workspace = workspacePath.value;
  if (!workspace || objectsPart.value !== "sql") return undefined;
  const query = (sql: string) => call("qmdc_query_sql", { path: workspace, sql }, signal);
  // A server without the search shelf has no documents table; the others are still listed.
  const documents = query(documentTable).then(
    ({ columns }) => [{ name: "documents", columns }],
    () => [],
  );
  return Promise.all([query(ownTables), documents, query(storedQueries)]).then(
    ([own, documents, stored]) => ({
      tables: [...own.items.map(tableOf), ...documents],
      queries: stored.items.map(({ __id, __label }) => ({
        id: String(__id),
        label: String(__label ?? __id),
      })),
    }),
  );
});

/** `CREATE TABLE codes (code_id INTEGER NOT NULL, name TEXT)` has the columns `code_id`, `name`. */
function tableOf({ name, sql }: Record<string, unknown>): Table {
  const [, inner = ""] = /\((.*)\)/s.exec(String(sql)) ?? [];
  const columns = inner.split(",").map((column) => /\w+/.exec(column)?.[0] ?? "");
  return { name: String(name), columns: columns.filter(Boolean) };
}
