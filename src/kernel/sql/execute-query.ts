import { Failure } from "../failure.ts";
import type { RawStatement } from "../storage/database.ts";
import type { SqlPage, SqlValue } from "./dataset.ts";
import type { QueryJob } from "./job.ts";

/** Maximum size of a page. */
const maxBytes = 8_000_000;
/** Maximum number of rows counted after the page. */
const maxCounted = 100_000;

/** Emits the page as soon as it is full: counting the rows after it may hit the deadline. */
export function executeQuery(
  statement: RawStatement,
  { limit, offset, countMs }: QueryJob,
  onPage: (page: SqlPage) => void,
): { remaining: number; isCounted: boolean } {
  const columns = statement.columns().map((column) => column.name);
  const rows: SqlValue[][] = [];
  let skipped = 0;
  let remaining = 0;
  let bytes = 0;
  let countDeadline = Number.POSITIVE_INFINITY;
  const emitPage = () => {
    onPage({ columns, rows });
    countDeadline = performance.now() + countMs;
  };
  if (limit === 0) emitPage();
  for (const row of statement.iterate()) {
    if (skipped < offset) skipped++;
    else if (rows.length < limit) {
      // The statement returns rows as arrays, with integers as bigint.
      const values = (row as RawValue[]).map(toJsonValue);
      bytes += byteSizeOf(values);
      if (bytes > maxBytes) throw tooManyBytes();
      rows.push(values);
      if (rows.length === limit) emitPage();
    } else {
      remaining++;
      if (remaining >= maxCounted || performance.now() > countDeadline) {
        return { remaining, isCounted: false };
      }
    }
  }
  if (rows.length < limit) emitPage();
  return { remaining, isCounted: true };
}

type RawValue = string | number | bigint | null | Uint8Array;

function toJsonValue(value: RawValue): SqlValue {
  if (typeof value === "bigint") {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : String(value);
  }
  if (typeof value === "number" && !Number.isFinite(value)) return value > 0 ? "Inf" : "-Inf";
  if (value instanceof Uint8Array) return `x'${Buffer.from(value).toString("hex")}'`;
  return value;
}

const byteSizeOf = (values: readonly SqlValue[]): number =>
  values.reduce<number>(
    (sum, value) => sum + (typeof value === "string" ? Buffer.byteLength(value) + 2 : 8),
    2,
  );

const tooManyBytes = (): Failure =>
  new Failure("too-large", "too-large", `The rows take more than ${maxBytes / 1e6} MB.`, {
    hints: ["Select fewer rows or columns."],
  });
