import * as z from "zod";
import { invalid, notFound } from "../../../kernel/failure.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import type { QueryLimits } from "../../../kernel/sql/sandbox.ts";
import type { Lending, SqlAnswer } from "../../../kernel/sql/set.ts";
import { pathInput } from "../asked.ts";
import { FreeRecord } from "../free-record.ts";
import { exampleStatement, sqlSetOf } from "../lent.ts";
import { clamped } from "../page.ts";
import type { ObjectsState } from "../state.ts";
import type { View } from "../view.ts";
import { textIn } from "../workspace-object.ts";

const operation = operationsOn<ObjectsState>();

export const querySql = operation({
  name: "qmdc_query_sql",
  title: "Query by SQL",
  summary:
    "One reading SQL statement over objects(__id, __kind, __label, __file, data JSON, …) and edges(source_id, target_id, edge_type, …), or #id of a stored Query. See qmdc_get_guide.",
  input: z.object({
    path: pathInput,
    sql: z.string().max(100_000).describe("SELECT, WITH, VALUES, EXPLAIN; or #query_id"),
    limit: z.int().default(200).describe("Most rows, 1 to 1000"),
    offset: z.int().default(0).describe("Rows to pass over"),
    cursor: z.string().max(100).optional().describe("next_cursor of the page before"),
  }),
  output: z.object({
    items: z.array(FreeRecord),
    columns: z.array(z.string()),
    limit: z.int(),
    offset: z.int(),
    total: z.int().optional(),
    truncated: z.boolean(),
    remaining: z.int().optional(),
    next_cursor: z.string().optional(),
  }),
  effect: "reads",
  expose: { mcp: true, cli: "objects sql <path> <sql>" },
  example: { path: "catalogue", sql: exampleStatement },

  async run({ path, sql, limit, offset, cursor }, state, call) {
    const page = { limit: clamped(limit), offset: Math.max(offsetOf(cursor) ?? offset, 0) };
    const view = await state.workspaces.at(path);
    const lendings = (statement: string) => state.lendings(statement, call);
    const { columns, rows, remaining, isCounted } = await answered(
      { sql: state.sql, lendings },
      view,
      sql,
      page,
      { signal: call.signal, client: call.peer },
    );
    const names = distinct(columns);
    const end = page.offset + rows.length;
    const truncated = remaining > 0 || !isCounted;
    return {
      items: rows.map((row) =>
        Object.fromEntries(names.map((name, place) => [name, row[place] ?? null])),
      ),
      columns,
      ...page,
      // Who passes over more rows than there are learns nothing about their number.
      ...(isCounted && (rows.length > 0 || page.offset === 0) && { total: end + remaining }),
      truncated,
      ...(remaining > 0 && { remaining }),
      ...(truncated && { next_cursor: String(end) }),
    };
  },
});

function offsetOf(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw invalid("cursor does not belong to this list", ["Ask again without a cursor."]);
}

/**
 * A second column of one name is told apart, or a row would lose it: `__id`, `__id_2`. A name that
 * a column has by itself is not given to another.
 */
function distinct(columns: readonly string[]): string[] {
  const own = new Set(columns);
  const met = new Set<string>();
  return columns.map((column) => {
    let name = column;
    for (let times = 2; met.has(name) || (times > 2 && own.has(name)); times++) {
      name = `${column}_${times}`;
    }
    met.add(name);
    return name;
  });
}

/** The rows of a statement, or of the stored one that `#id` names. */
export async function answered(
  {
    sql: sandbox,
    lendings,
  }: Pick<ObjectsState, "sql"> & { lendings(statement: string): Promise<Lending[]> },
  view: View,
  sql: string,
  page: { limit: number; offset: number },
  limits: Pick<QueryLimits, "signal" | "client"> = {},
): Promise<SqlAnswer> {
  const statement = /^\s*#[^\s#]/.test(sql) ? storedQuery(view, sql.trim().slice(1)) : sql;
  const set = sqlSetOf(view, await lendings(statement));
  return sandbox.query(set, { sql: statement, ...page }, limits);
}

function storedQuery(view: View, id: string): string {
  const found = view.resolver.resolve(id);
  const query =
    found.found === "object" && found.object.kind === "Query" ? found.object : undefined;
  const sql = query && textIn(query.record, "sql");
  if (sql === undefined) throw notFound(`Query object '${id}' not found or has no 'sql' field`);
  return sql;
}

export const sqlOperations = [querySql];
