import type { RawStatement } from "../database.ts";
import { Failure } from "../failure.ts";
import type { QueryJob } from "./job.ts";
import type { SqlPage, SqlValue } from "./set.ts";

/** Most bytes of a page. */
const mostBytes = 8_000_000;
/** Rows behind the page that are counted. */
const mostCounted = 100_000;

/** The page goes out as soon as it is full: what follows it may take longer than there is time. */
export function stepThrough(
  statement: RawStatement,
  { limit, offset, countMs }: QueryJob,
  give: (page: SqlPage) => void,
): { remaining: number; isCounted: boolean } {
  const columns = statement.columns().map((column) => column.name);
  const rows: SqlValue[][] = [];
  let passed = 0;
  let remaining = 0;
  let bytes = 0;
  let until = Number.POSITIVE_INFINITY;
  const fill = () => {
    give({ columns, rows });
    until = performance.now() + countMs;
  };
  if (limit === 0) fill();
  for (const row of statement.iterate()) {
    if (passed < offset) passed++;
    else if (rows.length < limit) {
      // The statement was told to give arrays, and integers as bigint.
      const values = (row as RawValue[]).map(shown);
      bytes += sizeOf(values);
      if (bytes > mostBytes) throw tooManyBytes();
      rows.push(values);
      if (rows.length === limit) fill();
    } else {
      remaining++;
      if (remaining >= mostCounted || performance.now() > until) {
        return { remaining, isCounted: false };
      }
    }
  }
  if (rows.length < limit) fill();
  return { remaining, isCounted: true };
}

type RawValue = string | number | bigint | null | Uint8Array;

function shown(value: RawValue): SqlValue {
  if (typeof value === "bigint") {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : String(value);
  }
  if (typeof value === "number" && !Number.isFinite(value)) return value > 0 ? "Inf" : "-Inf";
  if (value instanceof Uint8Array) return `x'${Buffer.from(value).toString("hex")}'`;
  return value;
}

const sizeOf = (values: readonly SqlValue[]): number =>
  values.reduce<number>(
    (sum, value) => sum + (typeof value === "string" ? Buffer.byteLength(value) + 2 : 8),
    2,
  );

const tooManyBytes = (): Failure =>
  new Failure("too-large", "too-large", `The rows take more than ${mostBytes / 1e6} MB.`, {
    hints: ["Ask for fewer rows or columns."],
  });
