import * as z from "zod";
import type { AnyOperation } from "../../kernel/operation.ts";
import { innermost } from "./schema-layers.ts";

/** An operation's answer as rows and columns, for every format that is a list of things. */
export interface Table {
  /** The columns that its schema declares, in the order in which they are printed. */
  readonly columns: readonly Column[];
  /** True where rows may bring columns of their own. */
  readonly isOpen: boolean;
  /** True where rows hold words of strangers and are meant for a spreadsheet. */
  readonly isGuarded: boolean;
  rowsIn(output: Readonly<Record<string, unknown>>): Row[];
}

interface Column {
  readonly name: string;
  /** True where a row may lack it: then it is shown only if some row has it. */
  readonly optional: boolean;
}

export type Row = Readonly<Record<string, unknown>>;

/**
 * What an answer's rows are: the key that `.meta({ json })` names; without it the only list of
 * objects that is always there; without that the output itself, as one row.
 */
export function tableOf({ output }: AnyOperation): Table {
  const key = output.meta()?.json ?? onlyListIn(output);
  const schema = typeof key === "string" ? innermost(output.shape[key]) : output;
  const isList = schema instanceof z.ZodArray;
  const item = isList ? innermost(schema.element) : schema;
  const isScalar = !isObject(item) && !(item instanceof z.ZodUnion && item.options.every(isObject));
  const column = String(key);
  return {
    columns: isScalar ? [{ name: column, optional: false }] : inOrder(columnsOf(item)),
    isOpen: isOpen(item),
    isGuarded: output.meta()?.guarded === true,
    rowsIn(answer) {
      const value = typeof key === "string" ? answer[key] : answer;
      const rows: unknown[] = Array.isArray(value) ? value : [value];
      return rows.map((row) =>
        // A schema whose items are objects has let only objects through.
        isScalar ? { [column]: row } : (row as Row),
      );
    },
  };
}

/** The columns of these rows: all that are always there, and the others where a row has one. */
export function columnsIn({ columns, isOpen }: Table, rows: readonly Row[]): string[] {
  const seen = new Set(
    rows.flatMap((row) => Object.keys(row).filter((key) => row[key] !== undefined)),
  );
  const declared = columns.filter(({ name, optional }) => !optional || seen.has(name));
  const names = declared.map(({ name }) => name);
  return isOpen ? [...new Set([...names, ...seen])] : names;
}

/** The file or folder that a row is of. */
export function fileOf(row: Row): string | undefined {
  // A document as the protocol prints it has its path for a name, beside its URI.
  const file = row.file ?? row.path ?? (row.uri === undefined ? undefined : row.name);
  return typeof file === "string" ? file : undefined;
}

/** Whether rows are of files at all. */
export const namesFiles = ({ columns }: Table): boolean =>
  ["file", "path", "uri"].some((name) => columns.some((column) => column.name === name));

/** Rows that were found by a search, whatever the search was. */
export const areHits = ({ columns }: Table): boolean =>
  ["docid", "score", "file", "title"].every((name) => columns.some((it) => it.name === name));

function onlyListIn(output: z.ZodObject): string | undefined {
  // A shape is typed by zod's core; what the classic API builds is classic throughout.
  const lists = Object.entries(output.shape as Record<string, z.ZodType>).filter(
    ([, schema]) => schema instanceof z.ZodArray,
  );
  return lists.length === 1 ? lists[0]?.[0] : undefined;
}

const isObject = (schema: z.core.$ZodType): boolean => {
  const inner = innermost(schema);
  return inner instanceof z.ZodObject || inner instanceof z.ZodRecord;
};

function columnsOf(schema: z.ZodType): Column[] {
  if (schema instanceof z.ZodUnion) return sharedColumns(schema.options.map(innermost));
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, field]) => ({
    name,
    optional: field.safeParse(undefined).success,
  }));
}

/** A column that only some kinds of row have is optional. */
function sharedColumns(kinds: readonly z.ZodType[]): Column[] {
  const lists = kinds.map(columnsOf);
  const names = new Set(lists.flatMap((list) => list.map(({ name }) => name)));
  return [...names].map((name) => {
    const found = lists.map((list) => list.find((column) => column.name === name));
    return { name, optional: found.some((column) => column?.optional ?? true) };
  });
}

function isOpen(schema: z.ZodType): boolean {
  if (schema instanceof z.ZodUnion) return schema.options.map(innermost).some(isOpen);
  if (schema instanceof z.ZodRecord) return true;
  return schema instanceof z.ZodObject && schema.def.catchall !== undefined;
}

/** Hits are printed in the order that readers of such lists know; all other rows as declared. */
function inOrder(columns: Column[]): Column[] {
  const first = ["docid", "score", "file", "title", "context", "line", "snippet"];
  if (!["docid", "score"].every((name) => columns.some((it) => it.name === name))) return columns;
  const place = ({ name }: Column) => (first.includes(name) ? first.indexOf(name) : first.length);
  return [...columns].sort((a, b) => place(a) - place(b));
}
