import { cut, Figure, type Look, labelWidth, letters, rowHeight } from "./figure.tsx";
import type { Row } from "./matrix.ts";

/** The measures that lie on one scale, each with a sign of its own. */
const measures = [
  ["agreement", "Agreement", "ring"],
  ["kappa", "Cohen's kappa", "disc"],
  ["alpha", "Krippendorff's alpha", "cross"],
] as const;

const width = 420;
const footHeight = 56;

interface DotsProps {
  title: string;
  look: Look;
  rows: readonly Row[];
}

/** A line for each code and two coders, on it the measures from the least to 1. */
export function Dots({ title, look, rows }: DotsProps) {
  const numbers = rows.flatMap((row) => measures.map(([key]) => Number(row[key] ?? 0)));
  const least = Math.min(0, Math.floor(Math.min(...numbers) * 4) / 4);
  const place = (number: number): number => labelWidth + ((number - least) / (1 - least)) * width;
  const height = rows.length * rowHeight;
  const ticks = Array.from({ length: Math.round((1 - least) * 4) + 1 }, (_, at) => least + at / 4);
  const axis = ticks.map((tick) => (
    <g key={tick}>
      <line x1={place(tick)} x2={place(tick)} y1={0} y2={height} stroke={look.rule} />
      <text x={place(tick)} y={height + 18} text-anchor="middle" {...letters} fill={look.quiet}>
        {tick}
      </text>
    </g>
  ));
  const lines = rows.map((row, at) => (
    <g key={at} transform={`translate(0 ${at * rowHeight})`}>
      <text x={labelWidth - 10} y={17} text-anchor="end" {...letters} fill={look.ink}>
        {cut(labelOf(row), 30)}
      </text>
      <line x1={labelWidth} x2={labelWidth + width} y1={13} y2={13} stroke={look.rule} />
      {measures.map(([key, name, sign]) =>
        typeof row[key] === "number" ? (
          <g key={key} transform={`translate(${place(row[key])} 13)`}>
            <title>{`${labelOf(row)}, ${name}: ${row[key]}`}</title>
            <Sign sign={sign} look={look} />
          </g>
        ) : null,
      )}
    </g>
  ));
  const legend = measures.map(([key, name, sign], at) => (
    <g key={key} transform={`translate(${labelWidth + at * 150} ${height + 40})`}>
      <Sign sign={sign} look={look} />
      <text x={12} y={4} {...letters} fill={look.ink}>
        {name}
      </text>
    </g>
  ));
  return (
    <Figure title={title} look={look} width={labelWidth + width + 60} height={height + footHeight}>
      {axis}
      {lines}
      {legend}
    </Figure>
  );
}

/** `Hope: Ana, claude`. */
const labelOf = ({ code_name, coder_a, coder_b }: Row): string =>
  `${code_name}: ${[coder_a, coder_b].filter(Boolean).join(", ")}`;

function Sign({ sign, look }: { sign: "ring" | "disc" | "cross"; look: Look }) {
  if (sign === "cross") {
    return <path d="M-5 -5 L5 5 M-5 5 L5 -5" stroke={look.ink} stroke-width={2} fill="none" />;
  }
  return (
    <circle
      r={5}
      fill={sign === "disc" ? look.accent : "none"}
      stroke={sign === "disc" ? look.accent : look.quiet}
      stroke-width={2}
    />
  );
}
