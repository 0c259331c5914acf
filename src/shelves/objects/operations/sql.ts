import * as z from "zod";
import { invalid, notFound } from "../../../kernel/failure.ts";
import { operationsFor } from "../../../kernel/operation.ts";
import type { SqlAnswer, SqlTables } from "../../../kernel/sql/dataset.ts";
import type { QueryLimits } from "../../../kernel/sql/sandbox.ts";
import { AnyRecord } from "../any-record.ts";
import { clampLimit } from "../pagination.ts";
import { buildObjectSqlSet, exampleStatement } from "../sql-tables.ts";
import type { ObjectsState } from "../state.ts";
import { pathInput } from "../tool-arguments.ts";
import { textField } from "../workspace/workspace-object.ts";
import type { WorkspaceView } from "../workspace/workspace-view.ts";

const operation = operationsFor<ObjectsState>();

export const querySql = operation({
  name: "qmdc_query_sql",
  title: "Query with SQL",
  summary:
    "Run one read-only SQL statement on objects(__id, __kind, __label, __file, data JSON, …) and edges(source_id, target_id, edge_type, …), or #id of a stored Query. See qmdc_get_guide.",
  input: z.object({
    path: pathInput,
    sql: z.string().max(100_000).describe("SELECT, WITH, VALUES, EXPLAIN; or #query_id"),
    limit: z.int().default(200).describe("Row limit, 1 to 1000"),
    offset: z.int().default(0).describe("Rows to skip"),
    cursor: z.string().max(100).optional().describe("next_cursor of the previous page"),
  }),
  output: z.object({
    items: z.array(AnyRecord),
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
    const page = {
      limit: clampLimit(limit),
      offset: Math.max(parseOffsetCursor(cursor) ?? offset, 0),
    };
    const view = await state.workspaces.read(path);
    const sqlTables = (statement: string) => state.sqlTables(statement, call);
    const { columns, rows, remaining, isCounted } = await runObjectSql(
      { sql: state.sql, sqlTables },
      view,
      sql,
      page,
      { signal: call.signal, client: call },
    );
    const names = uniqueColumnNames(columns);
    const end = page.offset + rows.length;
    const truncated = remaining > 0 || !isCounted;
    return {
      items: rows.map((row) =>
        Object.fromEntries(names.map((name, column) => [name, row[column] ?? null])),
      ),
      columns,
      ...page,
      // With an offset past the last row, the total is unknown.
      ...(isCounted && (rows.length > 0 || page.offset === 0) && { total: end + remaining }),
      truncated,
      ...(remaining > 0 && { remaining }),
      ...(truncated && { next_cursor: String(end) }),
    };
  },
});

function parseOffsetCursor(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw invalid("cursor does not belong to this list", ["Repeat the call without a cursor."]);
}

/**
 * Makes column names unique, because a row is an object: `__id`, `__id_2`. A generated name never
 * equals the name of another column.
 */
function uniqueColumnNames(columns: readonly string[]): string[] {
  const declared = new Set(columns);
  const used = new Set<string>();
  return columns.map((column) => {
    let name = column;
    for (let times = 2; used.has(name) || (times > 2 && declared.has(name)); times++) {
      name = `${column}_${times}`;
    }
    used.add(name);
    return name;
  });
}

/** Runs a statement, or the stored query that `#id` names. */
export async function runObjectSql(
  {
    sql: sandbox,
    sqlTables,
  }: Pick<ObjectsState, "sql"> & { sqlTables(statement: string): Promise<SqlTables[]> },
  view: WorkspaceView,
  sql: string,
  page: { limit: number; offset: number },
  limits: Pick<QueryLimits, "signal" | "client"> = {},
): Promise<SqlAnswer> {
  const statement = /^\s*#[^\s#]/.test(sql) ? storedQuery(view, sql.trim().slice(1)) : sql;
  const set = buildObjectSqlSet(view, await sqlTables(statement));
  return sandbox.query(set, { sql: statement, ...page }, limits);
}

function storedQuery(view: WorkspaceView, id: string): string {
  const found = view.resolver.resolve(id);
  const query =
    found.found === "object" && found.object.kind === "Query" ? found.object : undefined;
  const sql = query && textField(query.record, "sql");
  if (sql === undefined) throw notFound(`Query object '${id}' not found or has no 'sql' field`);
  return sql;
}

export const sqlOperations = [querySql];
