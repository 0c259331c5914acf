import "../styles/reports.css";
import { computed } from "@preact/signals";
import type { JSX } from "preact/jsx-runtime";
import { address, navigate, screenAddress } from "../app/address.ts";
import { NoProject } from "../coding/project-choice.tsx";
import { projectContext, projectPath } from "../coding/project-state.ts";
import { Link, useHeadingFocus } from "../components/link.tsx";
import { downloadText, toCsv } from "../objects/csv-download.ts";
import { call, type Input, type Output } from "../server/client.ts";
import { createLiveQuery } from "../server/live-query.ts";
import { AgreementChart } from "./agreement-chart.tsx";
import { BarChart, Heatmap } from "./charts.tsx";
import { type ChartColours, downloadSvg, pageColours } from "./figure.tsx";
import { caseMatrixOf, cooccurrenceOf, type Matrix } from "./matrix.ts";
import { MatrixTable, RowTable } from "./report-tables.tsx";

type Kind = Input<"get_report">["report"];
type Report = Output<"get_report">;

const kinds: readonly [Kind, string][] = [
  ["frequencies", "Frequencies"],
  ["cooccurrence", "Co-occurrence"],
  ["case_matrix", "Codes by case"],
  ["agreement", "Agreement"],
];

/** The maximum number of rows of an answer. */
const maxRows = 5_000;

const kind = computed(
  () => kinds.find(([name]) => name === address.value.part)?.[0] ?? "frequencies",
);

/** What the agreement compares: `human_agent` in the URL, else every pair of coders. */
const compare = computed(() => (address.value.item === "human_agent" ? "human_agent" : "coders"));

const report = createLiveQuery((signal) =>
  address.value.view === "reports" && projectPath.value
    ? call("get_report", { report: kind.value, compare: compare.value, limit: maxRows }, signal)
    : undefined,
);

/** The reports of a project, as tables and charts. */
export default function Reports() {
  const heading = useHeadingFocus(kind.value);
  const context = projectContext.answer.value;
  return (
    <>
      <h2 ref={heading} tabIndex={-1} class="unseen">
        Reports
      </h2>
      {context && !context.project_open && <NoProject />}
      {context?.project_open && (
        <>
          <nav class="parts" aria-label="Reports">
            {kinds.map(([name, label]) => (
              <Link
                key={name}
                to={screenAddress("reports", "", name)}
                aria-current={kind.value === name ? "page" : undefined}
              >
                {label}
              </Link>
            ))}
          </nav>
          {kind.value === "agreement" && <AgreementSides />}
          <CurrentReport />
        </>
      )}
    </>
  );
}

function AgreementSides() {
  return (
    <label class="sides">
      Compare
      <select
        value={compare.value}
        onChange={(event) => navigate({ item: event.currentTarget.value })}
      >
        <option value="coders">each pair of coders</option>
        <option value="human_agent">people and agents</option>
      </select>
    </label>
  );
}

function CurrentReport() {
  const answer = report.answer.value;
  if (report.failure.value) return <p class="notice">{report.failure.value}</p>;
  if (!answer || answer.report !== kind.value) return <p class="notice">Counting…</p>;
  const { title, rows, notes, remaining } = answer;
  if (rows.length === 0) {
    return <p class="notice">No codings yet. Code some passages first. {notes}</p>;
  }
  const plot = (colours: ChartColours): JSX.Element => plotOf(answer, colours);
  return (
    <article aria-labelledby="report">
      <h3 id="report">{title}</h3>
      <ReportTable answer={answer} />
      {notes && <p class="notes">{notes}</p>}
      {remaining !== undefined && <p class="notes">{remaining} more rows not shown.</p>}
      <p class="saving">
        <button
          type="button"
          onClick={() =>
            downloadText(
              `${answer.report}.csv`,
              "text/csv;charset=utf-8",
              toCsv(columnsIn(answer), rows),
            )
          }
        >
          Save as CSV
        </button>
        <button type="button" onClick={() => downloadSvg(`${answer.report}.svg`, plot)}>
          Save chart as SVG
        </button>
      </p>
      {/* The table of a matrix is a heat map already. */}
      {!matrixOf(answer) && <div class="plot">{plot(pageColours)}</div>}
    </article>
  );
}

function ReportTable({ answer }: { answer: Report }) {
  const matrix = matrixOf(answer);
  return matrix ? (
    <MatrixTable caption={answer.title} matrix={matrix} />
  ) : (
    <RowTable caption={answer.title} columns={columnsIn(answer)} rows={answer.rows} />
  );
}

const columnsIn = ({ rows }: Report): string[] => Object.keys(rows[0] ?? {});

function matrixOf({ report: name, rows }: Report): Matrix | undefined {
  if (name === "cooccurrence") return cooccurrenceOf(rows);
  return name === "case_matrix" ? caseMatrixOf(rows) : undefined;
}

function plotOf(answer: Report, colours: ChartColours): JSX.Element {
  const { title, rows } = answer;
  const matrix = matrixOf(answer);
  if (matrix) return <Heatmap title={title} colours={colours} matrix={matrix} />;
  if (answer.report === "agreement")
    return <AgreementChart title={title} colours={colours} rows={rows} />;
  const bars = answer.rows.map(({ code_name, count }): [string, number] => [
    String(code_name),
    Number(count),
  ]);
  return <BarChart title={title} colours={colours} bars={bars} />;
}
