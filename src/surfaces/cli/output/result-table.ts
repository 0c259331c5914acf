import * as z from "zod";
import type { AnyOperation } from "../../../kernel/operation.ts";
import { innermostSchema } from "../../schema-layers.ts";

/** An operation's output as rows and columns, for the formats that print rows. */
export interface ResultTable {
  /** The columns of the output schema, in print order. */
  readonly columns: readonly Column[];
  /** True if rows may have columns that the schema does not declare. */
  readonly isOpen: boolean;
  /** True if its rows name documents as `collection/path`. */
  readonly namesDocuments: boolean;
  /** True for untrusted text meant for a spreadsheet, whose formulas must be escaped. */
  readonly isGuarded: boolean;
  rowsIn(output: Readonly<Record<string, unknown>>): ResultRow[];
  /** The output with other rows in place of its own. */
  withRows(
    output: Readonly<Record<string, unknown>>,
    rows: readonly ResultRow[],
  ): Record<string, unknown>;
}

interface Column {
  readonly name: string;
  /** True if a row may lack it. It is then shown only if some row has it. */
  readonly optional: boolean;
}

export type ResultRow = Readonly<Record<string, unknown>>;

/**
 * The rows of an output: the value of the key in `.meta({ json })`, else of the only required list,
 * else the output itself as a single row.
 */
export function resultTableOf({ output }: AnyOperation): ResultTable {
  const key = output.meta()?.json ?? singleListKey(output);
  const schema = typeof key === "string" ? innermostSchema(output.shape[key]) : output;
  const isList = schema instanceof z.ZodArray;
  const item = isList ? innermostSchema(schema.element) : schema;
  const isScalar = !isObject(item) && !(item instanceof z.ZodUnion && item.options.every(isObject));
  const column = String(key);
  return {
    columns: isScalar ? [{ name: column, optional: false }] : orderColumns(columnsOf(item)),
    isOpen: isOpen(item),
    isGuarded: output.meta()?.guarded === true,
    namesDocuments: output.meta()?.documents === true,
    withRows(result, rows) {
      const value = isList ? rows : rows[0];
      return typeof key === "string" ? { ...result, [key]: value } : { ...result, ...rows[0] };
    },
    rowsIn(result) {
      const value = typeof key === "string" ? result[key] : result;
      const rows: unknown[] = Array.isArray(value) ? value : [value];
      return rows.map((row) =>
        // The output was validated, so the rows of a list of objects are objects.
        isScalar ? { [column]: row } : (row as ResultRow),
      );
    },
  };
}

/** The columns to print: all required ones, and optional ones that some row has. */
export function visibleColumns(
  { columns, isOpen }: ResultTable,
  rows: readonly ResultRow[],
): string[] {
  const seen = new Set(
    rows.flatMap((row) => Object.keys(row).filter((key) => row[key] !== undefined)),
  );
  const declared = columns.filter(({ name, optional }) => !optional || seen.has(name));
  const names = declared.map(({ name }) => name);
  return isOpen ? [...new Set([...names, ...seen])] : names;
}

/** The file or folder of a row. */
export function rowFile(row: ResultRow): string | undefined {
  // A row with a URI is an MCP resource, whose name is the path.
  const file = row.file ?? row.path ?? (row.uri === undefined ? undefined : row.name);
  return typeof file === "string" ? file : undefined;
}

/** Whether the rows name files. */
export const hasFileColumn = ({ columns }: ResultTable): boolean =>
  ["file", "path", "uri"].some((name) => columns.some((column) => column.name === name));

/** Whether the rows are hits of a search. */
export const isSearchResult = ({ columns }: ResultTable): boolean =>
  ["docid", "score", "file", "title"].every((name) => columns.some((it) => it.name === name));

function singleListKey(output: z.ZodObject): string | undefined {
  // The type of a shape is zod's core type, but schemas of the classic API hold only classic ones.
  const lists = Object.entries(output.shape as Record<string, z.ZodType>).filter(
    ([, schema]) => schema instanceof z.ZodArray,
  );
  return lists.length === 1 ? lists[0]?.[0] : undefined;
}

const isObject = (schema: z.core.$ZodType): boolean => {
  const inner = innermostSchema(schema);
  return inner instanceof z.ZodObject || inner instanceof z.ZodRecord;
};

function columnsOf(schema: z.ZodType): Column[] {
  if (schema instanceof z.ZodUnion) return sharedColumns(schema.options.map(innermostSchema));
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, field]) => ({
    name,
    optional: field.safeParse(undefined).success,
  }));
}

/** The columns of a union. A column that some members lack is optional. */
function sharedColumns(members: readonly z.ZodType[]): Column[] {
  const lists = members.map(columnsOf);
  const names = new Set(lists.flatMap((list) => list.map(({ name }) => name)));
  return [...names].map((name) => {
    const declared = lists.map((list) => list.find((column) => column.name === name));
    return { name, optional: declared.some((column) => column?.optional ?? true) };
  });
}

function isOpen(schema: z.ZodType): boolean {
  if (schema instanceof z.ZodUnion) return schema.options.map(innermostSchema).some(isOpen);
  if (schema instanceof z.ZodRecord) return true;
  return schema instanceof z.ZodObject && schema.def.catchall !== undefined;
}

/** Search hits have a fixed column order; other rows keep the order of their schema. */
function orderColumns(columns: Column[]): Column[] {
  const first = ["docid", "score", "file", "title", "context", "line", "snippet"];
  if (!["docid", "score"].every((name) => columns.some((it) => it.name === name))) return columns;
  const position = ({ name }: Column) =>
    first.includes(name) ? first.indexOf(name) : first.length;
  return [...columns].sort((a, b) => position(a) - position(b));
}
