import type { ComponentChildren } from "preact";
import { elementAt } from "../../src/text/arrays/element-at.ts";
import { type Matrix, type ReportRow, strengthOf } from "./matrix.ts";

/** A matrix as a table, coloured like a heat map. */
export function MatrixTable({ caption, matrix }: { caption: string; matrix: Matrix }) {
  const { rows, columns, cells } = matrix;
  return (
    <Wide caption={caption} kind="squares">
      <thead>
        <tr>
          <th scope="col">Code</th>
          {columns.map((name, at) => (
            <th key={at} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((name, at) => (
          <tr key={at}>
            <th scope="row">{name}</th>
            {elementAt(cells, at).map((number, column) => (
              <td
                key={column}
                class={number ? "number" : "number none"}
                style={{ "--strength": `${strengthOf(matrix, number)}%` }}
              >
                {number ?? "–"}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </Wide>
  );
}

interface RowTableProps {
  caption: string;
  columns: readonly string[];
  rows: readonly ReportRow[];
}

/** The rows of a report, without id columns and empty columns. */
export function RowTable({ caption, columns, rows }: RowTableProps) {
  const shown = columns.filter(
    (key) => !key.endsWith("_id") && rows.some((row) => row[key] !== null),
  );
  return (
    <Wide caption={caption}>
      <thead>
        <tr>
          {shown.map((key) => (
            <th key={key} scope="col">
              {headOf(key)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr key={at}>
            {shown.map((key) =>
              key === "code_name" ? (
                <th key={key} scope="row">
                  {row[key]}
                </th>
              ) : (
                <td key={key} class={typeof row[key] === "number" ? "number" : undefined}>
                  {row[key] ?? ""}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </Wide>
  );
}

/** The heading of a column: `code_name` gives `Code`, `only_a` `Only a`; `coder: Kim` is unchanged. */
function headOf(key: string): string {
  if (key.includes(": ")) return key;
  const label = key.replace(/_name$/, "").replaceAll("_", " ");
  return label.charAt(0).toUpperCase() + label.slice(1);
}

interface WideProps {
  caption: string;
  kind?: string;
  children: ComponentChildren;
}

/** A table that scrolls horizontally by itself, also by keyboard. */
function Wide({ caption, kind, children }: WideProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region needs keyboard access
    <section class="wide" aria-label={caption} tabIndex={0}>
      <table class={kind}>{children}</table>
    </section>
  );
}
