import { elementAt } from "../../src/text/arrays/element-at.ts";
import {
  type ChartColours,
  Figure,
  labelStyle,
  labelWidth,
  rowHeight,
  truncateChartLabel,
} from "./figure.tsx";
import { type Matrix, strengthOf } from "./matrix.ts";

const [cellWidth, barWidth] = [64, 420];

interface BarChartProps {
  title: string;
  colours: ChartColours;
  bars: readonly [string, number][];
}

/** A horizontal bar for each name. */
export function BarChart({ title, colours, bars }: BarChartProps) {
  const max = Math.max(1, ...bars.map(([, count]) => count));
  const lines = bars.map(([name, count], at) => {
    const length = (count / max) * barWidth;
    return (
      <g key={at} transform={`translate(0 ${at * rowHeight})`}>
        <text x={labelWidth - 10} y={17} text-anchor="end" {...labelStyle} fill={colours.ink}>
          {truncateChartLabel(name, 28)}
        </text>
        <rect
          x={labelWidth}
          y={4}
          width={length}
          height={rowHeight - 8}
          rx={2}
          fill={colours.accent}
        />
        <text x={labelWidth + length + 8} y={17} {...labelStyle} fill={colours.ink}>
          {count}
        </text>
      </g>
    );
  });
  const height = bars.length * rowHeight + 16;
  return (
    <Figure title={title} colours={colours} width={labelWidth + barWidth + 60} height={height}>
      {lines}
    </Figure>
  );
}

interface HeatmapProps {
  title: string;
  colours: ChartColours;
  matrix: Matrix;
}

/** A heat map: a cell for each number. Darker cells have higher numbers. */
export function Heatmap({ title, colours, matrix }: HeatmapProps) {
  const { rows, columns, cells } = matrix;
  const headHeight = 110;
  const head = columns.map((name, at) => {
    const x = labelWidth + at * cellWidth + cellWidth / 2;
    const transform = `translate(${x} ${headHeight - 10}) rotate(-45)`;
    return (
      <text key={at} transform={transform} {...labelStyle} fill={colours.ink}>
        {truncateChartLabel(name, 20)}
      </text>
    );
  });
  const lines = rows.map((name, at) => (
    <g key={at} transform={`translate(0 ${headHeight + at * rowHeight})`}>
      <text x={labelWidth - 10} y={17} text-anchor="end" {...labelStyle} fill={colours.ink}>
        {truncateChartLabel(name, 28)}
      </text>
      {elementAt(cells, at).map((number, column) => (
        <g key={column} transform={`translate(${labelWidth + column * cellWidth} 0)`}>
          <rect
            width={cellWidth - 2}
            height={rowHeight - 2}
            rx={2}
            fill={number === 0 || number === null ? colours.rule : colours.accent}
            fill-opacity={number ? strengthOf(matrix, number) / 100 : 0.35}
          />
          <text
            x={cellWidth / 2 - 1}
            y={16}
            text-anchor="middle"
            {...labelStyle}
            fill={colours.ink}
          >
            {number}
          </text>
        </g>
      ))}
    </g>
  ));
  const width = labelWidth + columns.length * cellWidth + 120;
  const height = headHeight + rows.length * rowHeight + 16;
  return (
    <Figure title={title} colours={colours} width={width} height={height}>
      {head}
      {lines}
    </Figure>
  );
}
