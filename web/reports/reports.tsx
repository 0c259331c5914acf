import "../look/reports.css";
import { computed } from "@preact/signals";
import type { JSX } from "preact/jsx-runtime";
import { address, go, screen } from "../address.ts";
import { asking } from "../asking.ts";
import { call, type Input, type Output } from "../client.ts";
import { context, project } from "../coding/project.ts";
import { NoProject } from "../coding/project-choice.tsx";
import { Link, useArrival } from "../link.tsx";
import { csvOf, save } from "../objects/csv.ts";
import { Dots } from "./agreement-plot.tsx";
import { type Look, onPage, savePicture } from "./figure.tsx";
import { casesOf, cooccurrenceOf, type Matrix } from "./matrix.ts";
import { Bars, Squares } from "./plot.tsx";
import { MatrixTable, RowTable } from "./tables.tsx";

type Kind = Input<"get_report">["report"];
type Report = Output<"get_report">;

const kinds: readonly [Kind, string][] = [
  ["frequencies", "Frequencies"],
  ["cooccurrence", "Co-occurrence"],
  ["case_matrix", "Codes by case"],
  ["agreement", "Agreement"],
];

/** As many rows as an answer can have. */
const mostRows = 5_000;

const kind = computed(
  () => kinds.find(([name]) => name === address.value.part)?.[0] ?? "frequencies",
);

/** Whom the agreement is between: `human_agent` in the address, else every two coders. */
const compare = computed(() => (address.value.of === "human_agent" ? "human_agent" : "coders"));

const report = asking((signal) =>
  address.value.view === "reports" && project.value
    ? call("get_report", { report: kind.value, compare: compare.value, limit: mostRows }, signal)
    : undefined,
);

/** What was coded, counted and compared. */
export default function Reports() {
  const heading = useArrival(kind.value);
  const known = context.answer.value;
  return (
    <>
      <h2 ref={heading} tabIndex={-1} class="unseen">
        Reports
      </h2>
      {known && !known.project_open && <NoProject />}
      {known?.project_open && (
        <>
          <nav class="parts" aria-label="Reports">
            {kinds.map(([name, label]) => (
              <Link
                key={name}
                to={screen("reports", "", name)}
                aria-current={kind.value === name ? "page" : undefined}
              >
                {label}
              </Link>
            ))}
          </nav>
          {kind.value === "agreement" && <Sides />}
          <Shown />
        </>
      )}
    </>
  );
}

function Sides() {
  return (
    <label class="sides">
      Compare
      <select value={compare.value} onChange={(event) => go({ of: event.currentTarget.value })}>
        <option value="coders">every two coders</option>
        <option value="human_agent">people and agents</option>
      </select>
    </label>
  );
}

function Shown() {
  const made = report.answer.value;
  if (report.failure.value) return <p class="notice">{report.failure.value}</p>;
  if (!made || made.report !== kind.value) return <p class="notice">Counting…</p>;
  const { title, rows, notes, remaining } = made;
  if (rows.length === 0) {
    return <p class="notice">Nothing to count yet. Code some passages first. {notes}</p>;
  }
  const plot = (look: Look): JSX.Element => plotOf(made, look);
  return (
    <article aria-labelledby="report">
      <h3 id="report">{title}</h3>
      <ReportTable made={made} />
      {notes && <p class="notes">{notes}</p>}
      {remaining !== undefined && <p class="notes">{remaining} more rows are not shown.</p>}
      <p class="saving">
        <button
          type="button"
          onClick={() =>
            save(`${made.report}.csv`, "text/csv;charset=utf-8", csvOf(columnsIn(made), rows))
          }
        >
          Save as CSV
        </button>
        <button type="button" onClick={() => savePicture(`${made.report}.svg`, plot)}>
          Save the plot as SVG
        </button>
      </p>
      {/* A matrix is coloured in its table already. */}
      {!matrixOf(made) && <div class="plot">{plot(onPage)}</div>}
    </article>
  );
}

function ReportTable({ made }: { made: Report }) {
  const matrix = matrixOf(made);
  return matrix ? (
    <MatrixTable caption={made.title} matrix={matrix} />
  ) : (
    <RowTable caption={made.title} columns={columnsIn(made)} rows={made.rows} />
  );
}

const columnsIn = ({ rows }: Report): string[] => Object.keys(rows[0] ?? {});

function matrixOf({ report: name, rows }: Report): Matrix | undefined {
  if (name === "cooccurrence") return cooccurrenceOf(rows);
  return name === "case_matrix" ? casesOf(rows) : undefined;
}

function plotOf(made: Report, look: Look): JSX.Element {
  const { title, rows } = made;
  const matrix = matrixOf(made);
  if (matrix) return <Squares title={title} look={look} matrix={matrix} />;
  if (made.report === "agreement") return <Dots title={title} look={look} rows={rows} />;
  const bars = made.rows.map(({ code_name, count }): [string, number] => [
    String(code_name),
    Number(count),
  ]);
  return <Bars title={title} look={look} bars={bars} />;
}
