import { computed, signal } from "@preact/signals";
import { asking } from "../asking.ts";
import { call } from "../client.ts";
import { of, part, path } from "./place.ts";

/** What the address asks; it may be shared and comes back by the browser's own buttons. */
export const statement = computed(() => (part.value === "sql" ? of.value.trim() : ""));

/** No more rows are sent at once. */
export const mostRows = 1_000;
export const limit = signal(200);

export const rows = asking((signal) =>
  path.value && statement.value
    ? call("qmdc_query_sql", { path: path.value, sql: statement.value, limit: limit.value }, signal)
    : undefined,
);

/** Tables of other shelves are there for a statement that names them, were it in a comment. */
const lent = "-- decisions documents codes segments";

const ownTables = `SELECT name, sql FROM sqlite_schema WHERE type = 'table' ORDER BY name ${lent}`;
const documentTable = `SELECT * FROM documents LIMIT 0 ${lent}`;
const storedQueries = `SELECT __id, __label FROM objects WHERE __kind = 'Query' ORDER BY __label ${lent}`;

interface Table {
  name: string;
  columns: string[];
}

/** What can be asked for. */
export const tables = asking((signal) => {
  const workspace = path.value;
  if (!workspace || part.value !== "sql") return undefined;
  const ask = (sql: string) => call("qmdc_query_sql", { path: workspace, sql }, signal);
  // A server without documents has no such table, and the others all the same.
  const documents = ask(documentTable).then(
    ({ columns }) => [{ name: "documents", columns }],
    () => [],
  );
  return Promise.all([ask(ownTables), documents, ask(storedQueries)]).then(
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
