import type { Output } from "../client.ts";

export type Row = Output<"get_report">["rows"][number];

/** Numbers of one kind by two names. A place without a number is empty. */
export interface Matrix {
  rows: string[];
  columns: string[];
  cells: (number | null)[][];
}

/** Codes against codes, from the pairs that meet; a code is not set against itself. */
export function cooccurrenceOf(pairs: readonly Row[]): Matrix {
  const names = new Map<number, string>();
  const counts = new Map<string, number>();
  for (const { code_a_id, code_a_name, code_b_id, code_b_name, count } of pairs) {
    const [a, b] = [Number(code_a_id), Number(code_b_id)];
    names.set(a, String(code_a_name)).set(b, String(code_b_name));
    counts.set(`${a} ${b}`, Number(count)).set(`${b} ${a}`, Number(count));
  }
  const codes = [...names].sort(([, a], [, b]) => a.localeCompare(b));
  const labels = codes.map(([, name]) => name);
  return {
    rows: labels,
    columns: labels,
    cells: codes.map(([a]) =>
      codes.map(([b]) => (a === b ? null : (counts.get(`${a} ${b}`) ?? 0))),
    ),
  };
}

/** Columns that are made of names have their kind before them: `case: Ana`. */
const casePrefix = "case: ";

export function casesOf(rows: readonly Row[]): Matrix {
  const keys = Object.keys(rows[0] ?? {}).filter((key) => key.startsWith(casePrefix));
  return {
    rows: rows.map(({ code_name }) => String(code_name)),
    columns: keys.map((key) => key.slice(casePrefix.length)),
    cells: rows.map((row) => keys.map((key) => Number(row[key] ?? 0))),
  };
}

/** How strongly a number is coloured, in percent of the accent: enough to see, with words legible. */
export function strengthOf(matrix: Matrix, number: number | null): number {
  const most = Math.max(1, ...matrix.cells.flat().map((cell) => cell ?? 0));
  return Math.round(((number ?? 0) / most) * 40);
}
