import { render } from "preact";
import type { JSX } from "preact/jsx-runtime";
import { save } from "../objects/csv.ts";
import { type Matrix, strengthOf } from "./matrix.ts";

/** A saved picture stands alone, so it has its own paper, ink and letters. */
const [paper, ink, accent] = ["#ffffff", "#22201c", "#9a3f12"];
const letters = { "font-family": "sans-serif", "font-size": 13, fill: ink };
const [rowHeight, labelWidth, cellWidth, barWidth] = [26, 220, 64, 420];

/** Names longer than their room are cut; the table has them whole. */
const cut = (name: string, most: number): string =>
  [...name].length > most ? `${[...name].slice(0, most - 1).join("")}…` : name;

interface FigureProps {
  title: string;
  width: number;
  height: number;
  children: (JSX.Element | JSX.Element[])[];
}

function Figure({ title, width, height, children }: FigureProps) {
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="img"
      aria-label={title}
    >
      <title>{title}</title>
      <rect width={width} height={height} fill={paper} />
      {children}
    </svg>
  );
}

/** A bar for each name. */
export function Bars({ title, bars }: { title: string; bars: readonly [string, number][] }) {
  const most = Math.max(1, ...bars.map(([, count]) => count));
  const lines = bars.map(([name, count], at) => {
    const length = (count / most) * barWidth;
    return (
      <g key={at} transform={`translate(0 ${8 + at * rowHeight})`}>
        <text x={labelWidth - 10} y={17} text-anchor="end" {...letters}>
          {cut(name, 28)}
        </text>
        <rect x={labelWidth} y={4} width={length} height={rowHeight - 8} fill={accent} />
        <text x={labelWidth + length + 8} y={17} {...letters}>
          {count}
        </text>
      </g>
    );
  });
  const height = bars.length * rowHeight + 16;
  return (
    <Figure title={title} width={labelWidth + barWidth + 60} height={height}>
      {lines}
    </Figure>
  );
}

/** A square for each number, the darker the greater it is. */
export function Squares({ title, matrix }: { title: string; matrix: Matrix }) {
  const { rows, columns, cells } = matrix;
  const headHeight = 130;
  const head = columns.map((name, at) => {
    const x = labelWidth + at * cellWidth + cellWidth / 2;
    const place = `translate(${x} ${headHeight - 10}) rotate(-45)`;
    return (
      <text key={at} transform={place} {...letters}>
        {cut(name, 20)}
      </text>
    );
  });
  const lines = rows.map((name, at) => (
    <g key={at} transform={`translate(0 ${headHeight + at * rowHeight})`}>
      <text x={labelWidth - 10} y={17} text-anchor="end" {...letters}>
        {cut(name, 28)}
      </text>
      {(cells[at] ?? []).map((number, column) => (
        <g key={column} transform={`translate(${labelWidth + column * cellWidth} 0)`}>
          <rect
            width={cellWidth - 1}
            height={rowHeight - 1}
            fill={accent}
            fill-opacity={strengthOf(matrix, number) / 100}
          />
          <text x={cellWidth / 2} y={17} text-anchor="middle" {...letters}>
            {number}
          </text>
        </g>
      ))}
    </g>
  ));
  const width = labelWidth + columns.length * cellWidth + 120;
  const height = headHeight + rows.length * rowHeight + 16;
  return (
    <Figure title={title} width={width} height={height}>
      {head}
      {lines}
    </Figure>
  );
}

/** Draws a picture aside and lets the browser save it. */
export function savePlot(name: string, picture: JSX.Element): void {
  const aside = document.createElement("div");
  render(picture, aside);
  save(name, "image/svg+xml", aside.innerHTML);
}
