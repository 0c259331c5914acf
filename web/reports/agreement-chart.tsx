import {
  type ChartColours,
  Figure,
  labelStyle,
  labelWidth,
  rowHeight,
  truncateChartLabel,
} from "./figure.tsx";
import type { ReportRow } from "./matrix.ts";

/** The measures, which share one scale, and their markers. */
const measures = [
  ["agreement", "Agreement", "ring"],
  ["kappa", "Cohen's kappa", "disc"],
  ["alpha", "Krippendorff's alpha", "cross"],
] as const;

const width = 420;
const footHeight = 56;

interface AgreementChartProps {
  title: string;
  colours: ChartColours;
  rows: readonly ReportRow[];
}

/** A dot plot: a line for each code and pair of coders, with the measures from the minimum to 1. */
export function AgreementChart({ title, colours, rows }: AgreementChartProps) {
  const numbers = rows.flatMap((row) => measures.map(([key]) => Number(row[key] ?? 0)));
  const min = Math.min(0, Math.floor(Math.min(...numbers) * 4) / 4);
  const xOf = (number: number): number => labelWidth + ((number - min) / (1 - min)) * width;
  const height = rows.length * rowHeight;
  const ticks = Array.from({ length: Math.round((1 - min) * 4) + 1 }, (_, at) => min + at / 4);
  const axis = ticks.map((tick) => (
    <g key={tick}>
      <line x1={xOf(tick)} x2={xOf(tick)} y1={0} y2={height} stroke={colours.rule} />
      <text x={xOf(tick)} y={height + 18} text-anchor="middle" {...labelStyle} fill={colours.quiet}>
        {tick}
      </text>
    </g>
  ));
  const lines = rows.map((row, at) => (
    <g key={at} transform={`translate(0 ${at * rowHeight})`}>
      <text x={labelWidth - 10} y={17} text-anchor="end" {...labelStyle} fill={colours.ink}>
        {truncateChartLabel(labelOf(row), 30)}
      </text>
      <line x1={labelWidth} x2={labelWidth + width} y1={13} y2={13} stroke={colours.rule} />
      {measures.map(([key, name, sign]) =>
        typeof row[key] === "number" ? (
          <g key={key} transform={`translate(${xOf(row[key])} 13)`}>
            <title>{`${labelOf(row)}, ${name}: ${row[key]}`}</title>
            <Sign sign={sign} colours={colours} />
          </g>
        ) : null,
      )}
    </g>
  ));
  const legend = measures.map(([key, name, sign], at) => (
    <g key={key} transform={`translate(${labelWidth + at * 150} ${height + 40})`}>
      <Sign sign={sign} colours={colours} />
      <text x={12} y={4} {...labelStyle} fill={colours.ink}>
        {name}
      </text>
    </g>
  ));
  return (
    <Figure
      title={title}
      colours={colours}
      width={labelWidth + width + 60}
      height={height + footHeight}
    >
      {axis}
      {lines}
      {legend}
    </Figure>
  );
}

/** For example `Hope: Ana, claude`. */
const labelOf = ({ code_name, coder_a, coder_b }: ReportRow): string =>
  `${code_name}: ${[coder_a, coder_b].filter(Boolean).join(", ")}`;

function Sign({ sign, colours }: { sign: "ring" | "disc" | "cross"; colours: ChartColours }) {
  if (sign === "cross") {
    return <path d="M-5 -5 L5 5 M-5 5 L5 -5" stroke={colours.ink} stroke-width={2} fill="none" />;
  }
  return (
    <circle
      r={5}
      fill={sign === "disc" ? colours.accent : "none"}
      stroke={sign === "disc" ? colours.accent : colours.quiet}
      stroke-width={2}
    />
  );
}
