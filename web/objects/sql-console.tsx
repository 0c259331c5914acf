import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { navigate } from "../app/address.ts";
import { Link } from "../components/link.tsx";
import { downloadText, toCsv } from "./csv-download.ts";
import { objectItem, objectsAddress } from "./objects-address.ts";
import { maxRows, rowLimit, sqlRows, sqlStatement, sqlTables } from "./sql-query.ts";

/** Runs SQL queries over the objects. */
export function SqlConsole() {
  const field = useRef<HTMLTextAreaElement>(null);
  /** Whether the field still holds the query of the results shown. */
  const isCurrent = useSignal(true);
  // A layout effect runs before the paint, so it never overwrites typed text.
  useLayoutEffect(() => {
    if (field.current) field.current.value = objectItem.value;
    isCurrent.value = true;
  }, [objectItem.value]);
  const runQuery = (): void => navigate(objectsAddress(field.current?.value.trim() ?? "", "sql"));
  return (
    <section class="sql" aria-label="SQL">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          runQuery();
        }}
      >
        <label>
          Read-only SQL
          <textarea
            ref={field}
            rows={4}
            maxLength={100_000}
            spellcheck={false}
            autocapitalize="off"
            placeholder="SELECT __kind, count(*) FROM objects GROUP BY __kind"
            aria-keyshortcuts="Control+Enter"
            defaultValue={objectItem.value}
            onInput={(event) => {
              isCurrent.value = event.currentTarget.value.trim() === sqlStatement.value;
            }}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
              event.preventDefault();
              runQuery();
            }}
          />
        </label>
        <div class="controls">
          <button type="submit" class="yes">
            Run
          </button>
          <span class="hint">Ctrl+Enter</span>
          <label>
            Row limit
            <select
              value={String(rowLimit.value)}
              onChange={(event) => {
                rowLimit.value = Number(event.currentTarget.value);
              }}
            >
              {[50, 200, maxRows].map((count) => (
                <option key={count} value={String(count)}>
                  {count}
                </option>
              ))}
            </select>
          </label>
        </div>
      </form>
      <Answer isOutdated={!isCurrent.value} />
      <SchemaOverview />
    </section>
  );
}

function Answer({ isOutdated }: { isOutdated: boolean }) {
  const result = sqlRows.answer.value;
  const columns = result?.items[0] ? Object.keys(result.items[0]) : (result?.columns ?? []);
  return (
    <div class="answer">
      <p role="status" class={sqlRows.failure.value ? "failure" : "notice"}>
        {sqlRows.failure.value ?? (result ? countOf(result) : "")}
        {result && isOutdated ? " of the previous query" : ""}
      </p>
      {result && result.items.length > 0 && (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region needs keyboard access */}
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
                {result.items.map((row, index) => (
                  <tr key={index}>
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
                downloadText("objects.csv", "text/csv;charset=utf-8", toCsv(columns, result.items))
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

function countOf({ items, total, truncated }: NonNullable<typeof sqlRows.answer.value>): string {
  const count = items.length;
  if (!truncated) return count === 0 ? "No rows" : count === 1 ? "1 row" : `${count} rows`;
  return `First ${count} of ${total === undefined ? `more than ${count}` : total} rows`;
}

/** Columns whose values are object ids. */
const idColumns = new Set(["__id", "__global_id", "__parent", "source_id", "target_id"]);

function Cell({ column, value }: { column: string; value: unknown }) {
  if (value === null || value === undefined) return <td class="nothing">null</td>;
  if (typeof value === "number") return <td class="number">{value}</td>;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (!idColumns.has(column) || text === "") return <td>{text}</td>;
  return (
    <td>
      <Link to={objectsAddress(text)}>{text}</Link>
    </td>
  );
}

/** The tables, and the queries stored as objects. */
function SchemaOverview() {
  const schema = sqlTables.answer.value;
  if (sqlTables.failure.value) return <p class="notice">{sqlTables.failure.value}</p>;
  if (!schema) return null;
  return (
    <section class="known" aria-labelledby="tables">
      <h3 id="tables">Tables</h3>
      <dl>
        {schema.tables.map(({ name, columns }) => (
          <div key={name}>
            <dt>
              <Link to={objectsAddress(`SELECT * FROM ${name}`, "sql")}>{name}</Link>
            </dt>
            <dd>
              <code>{columns.join(", ")}</code>
            </dd>
          </div>
        ))}
      </dl>
      {schema.queries.length > 0 && (
        <>
          <h3>Stored queries</h3>
          <ul class="members">
            {schema.queries.map(({ id, label }) => (
              <li key={id}>
                <Link to={objectsAddress(`#${id}`, "sql")}>{label}</Link>
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
