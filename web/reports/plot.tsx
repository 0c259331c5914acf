import { cut, Figure, type Look, labelWidth, letters, rowHeight } from "./figure.tsx";
import { type Matrix, strengthOf } from "./matrix.ts";

const [cellWidth, barWidth] = [64, 420];

interface BarsProps {
  title: string;
  look: Look;
  bars: readonly [string, number][];
}

/** A bar for each name. */
export function Bars({ title, look, bars }: BarsProps) {
  const most = Math.max(1, ...bars.map(([, count]) => count));
  const lines = bars.map(([name, count], at) => {
    const length = (count / most) * barWidth;
    return (
      <g key={at} transform={`translate(0 ${at * rowHeight})`}>
        <text x={labelWidth - 10} y={17} text-anchor="end" {...letters} fill={look.ink}>
          {cut(name, 28)}
        </text>
        <rect
          x={labelWidth}
          y={4}
          width={length}
          height={rowHeight - 8}
          rx={2}
          fill={look.accent}
        />
        <text x={labelWidth + length + 8} y={17} {...letters} fill={look.ink}>
          {count}
        </text>
      </g>
    );
  });
  const height = bars.length * rowHeight + 16;
  return (
    <Figure title={title} look={look} width={labelWidth + barWidth + 60} height={height}>
      {lines}
    </Figure>
  );
}

interface SquaresProps {
  title: string;
  look: Look;
  matrix: Matrix;
}

/** A square for each number, the darker the greater it is. */
export function Squares({ title, look, matrix }: SquaresProps) {
  const { rows, columns, cells } = matrix;
  const headHeight = 110;
  const head = columns.map((name, at) => {
    const x = labelWidth + at * cellWidth + cellWidth / 2;
    const place = `translate(${x} ${headHeight - 10}) rotate(-45)`;
    return (
      <text key={at} transform={place} {...letters} fill={look.ink}>
        {cut(name, 20)}
      </text>
    );
  });
  const lines = rows.map((name, at) => (
    <g key={at} transform={`translate(0 ${headHeight + at * rowHeight})`}>
      <text x={labelWidth - 10} y={17} text-anchor="end" {...letters} fill={look.ink}>
        {cut(name, 28)}
      </text>
      {(cells[at] ?? []).map((number, column) => (
        <g key={column} transform={`translate(${labelWidth + column * cellWidth} 0)`}>
          <rect
            width={cellWidth - 2}
            height={rowHeight - 2}
            rx={2}
            fill={number === 0 || number === null ? look.rule : look.accent}
            fill-opacity={number ? strengthOf(matrix, number) / 100 : 0.35}
          />
          <text x={cellWidth / 2 - 1} y={16} text-anchor="middle" {...letters} fill={look.ink}>
            {number}
          </text>
        </g>
      ))}
    </g>
  ));
  const width = labelWidth + columns.length * cellWidth + 120;
  const height = headHeight + rows.length * rowHeight + 16;
  return (
    <Figure title={title} look={look} width={width} height={height}>
      {head}
      {lines}
    </Figure>
  );
}
