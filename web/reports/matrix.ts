import type { Output } from "../server/client.ts";

export type ReportRow = Output<"get_report">["rows"][number];

/** A labelled matrix. A null cell has no value. */
export interface Matrix {
  rows: string[];
  columns: string[];
  cells: (number | null)[][];
}

/** The symmetric matrix of codes from the pairs that co-occur. The diagonal is empty. */
export function cooccurrenceOf(pairs: readonly ReportRow[]): Matrix {
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

/** Columns named by data have a prefix: `case: Ana`. */
const casePrefix = "case: ";

export function caseMatrixOf(rows: readonly ReportRow[]): Matrix {
  const keys = Object.keys(rows[0] ?? {}).filter((key) => key.startsWith(casePrefix));
  return {
    rows: rows.map(({ code_name }) => String(code_name)),
    columns: keys.map((key) => key.slice(casePrefix.length)),
    cells: rows.map((row) => keys.map((key) => Number(row[key] ?? 0))),
  };
}

/** The share of the accent colour for a number, in percent. At most 40, to keep text legible. */
export function strengthOf(matrix: Matrix, number: number | null): number {
  const max = Math.max(1, ...matrix.cells.flat().map((cell) => cell ?? 0));
  return Math.round(((number ?? 0) / max) * 40);
}
