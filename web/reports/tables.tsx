import type { ComponentChildren } from "preact";
import { type Matrix, type Row, strengthOf } from "./matrix.ts";

/** Numbers by two names; colour repeats what the number says. */
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
            {(cells[at] ?? []).map((number, column) => (
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
  rows: readonly Row[];
}

/** Rows as they are, without the numbers that only programs need and columns that say nothing. */
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

/** `code_name` is read as `Code`, `only_a` as `Only a`, `coder: Kim` as it is. */
function headOf(key: string): string {
  if (key.includes(": ")) return key;
  const words = key.replace(/_name$/, "").replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

interface WideProps {
  caption: string;
  kind?: string;
  children: ComponentChildren;
}

/** A table that is wider than the screen is moved by itself, by keys too. */
function Wide({ caption, kind, children }: WideProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key
    <section class="wide" aria-label={caption} tabIndex={0}>
      <table class={kind}>{children}</table>
    </section>
  );
}
