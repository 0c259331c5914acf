import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { go } from "../address.ts";
import { Link } from "../link.tsx";
import { csvOf, save } from "./csv.ts";
import { of, place } from "./place.ts";
import { limit, mostRows, rows, statement, tables } from "./statement.ts";

/** Questions to the objects in SQL; the answer is a table. */
export function Sql() {
  const field = useRef<HTMLTextAreaElement>(null);
  const isSame = useSignal(true);
  useEffect(() => {
    if (field.current) field.current.value = of.value;
    isSame.value = true;
  }, [of.value]);
  const ask = (): void => go(place(field.current?.value.trim() ?? "", "sql"));
  return (
    <section class="sql" aria-label="SQL">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          ask();
        }}
      >
        <label>
          One statement that reads
          <textarea
            ref={field}
            rows={4}
            maxLength={100_000}
            spellcheck={false}
            autocapitalize="off"
            placeholder="SELECT __kind, count(*) FROM objects GROUP BY __kind"
            aria-keyshortcuts="Control+Enter"
            defaultValue={of.value}
            onInput={(event) => {
              isSame.value = event.currentTarget.value.trim() === statement.value;
            }}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
              event.preventDefault();
              ask();
            }}
          />
        </label>
        <div class="controls">
          <button type="submit" class="yes">
            Run
          </button>
          <span class="hint">Ctrl and Enter do the same</span>
          <label>
            Most rows
            <select
              value={String(limit.value)}
              onChange={(event) => {
                limit.value = Number(event.currentTarget.value);
              }}
            >
              {[50, 200, mostRows].map((count) => (
                <option key={count} value={String(count)}>
                  {count}
                </option>
              ))}
            </select>
          </label>
        </div>
      </form>
      <Answer isOld={!isSame.value} />
      <Known />
    </section>
  );
}

function Answer({ isOld }: { isOld: boolean }) {
  const found = rows.answer.value;
  const columns = found?.items[0] ? Object.keys(found.items[0]) : (found?.columns ?? []);
  return (
    <div class="answer">
      <p role="status" class={rows.failure.value ? "failure" : "notice"}>
        {rows.failure.value ?? (found ? countOf(found) : "")}
        {found && isOld ? " – of the statement before" : ""}
      </p>
      {found && found.items.length > 0 && (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key */}
          <section class="rows" tabIndex={0} aria-label="Rows">
            <table>
              <thead>
                <tr>
                  {columns.map((column) => (
                    <th scope="col" key={column}>
                      {column}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {found.items.map((row, at) => (
                  <tr key={at}>
                    {columns.map((column) => (
                      <Cell key={column} column={column} value={row[column]} />
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
          <p>
            <button
              type="button"
              onClick={() =>
                save("objects.csv", "text/csv;charset=utf-8", csvOf(columns, found.items))
              }
            >
              Save as CSV
            </button>
          </p>
        </>
      )}
    </div>
  );
}

function countOf({ items, total, truncated }: NonNullable<typeof rows.answer.value>): string {
  const count = items.length;
  if (!truncated) return count === 0 ? "No rows" : count === 1 ? "1 row" : `${count} rows`;
  return `The first ${count} of ${total === undefined ? "more" : total} rows; the rest is cut off.`;
}

/** Columns whose values name an object. */
const idColumns = new Set(["__id", "__global_id", "__parent", "source_id", "target_id"]);

function Cell({ column, value }: { column: string; value: unknown }) {
  if (value === null || value === undefined) return <td class="nothing">null</td>;
  if (typeof value === "number") return <td class="number">{value}</td>;
  const words = typeof value === "string" ? value : JSON.stringify(value);
  if (!idColumns.has(column) || words === "") return <td>{words}</td>;
  return (
    <td>
      <Link to={place(words)}>{words}</Link>
    </td>
  );
}

/** The tables, and the queries that somebody has stored among the objects. */
function Known() {
  const known = tables.answer.value;
  if (tables.failure.value) return <p class="notice">{tables.failure.value}</p>;
  if (!known) return null;
  return (
    <section class="known" aria-labelledby="tables">
      <h3 id="tables">Tables</h3>
      <dl>
        {known.tables.map(({ name, columns }) => (
          <div key={name}>
            <dt>
              <Link to={place(`SELECT * FROM ${name}`, "sql")}>{name}</Link>
            </dt>
            <dd>
              <code>{columns.join(", ")}</code>
            </dd>
          </div>
        ))}
      </dl>
      {known.queries.length > 0 && (
        <>
          <h3>Stored queries</h3>
          <ul class="members">
            {known.queries.map(({ id, label }) => (
              <li key={id}>
                <Link to={place(`#${id}`, "sql")}>{label}</Link>
                <span class="about">
                  <code>#{id}</code>
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
