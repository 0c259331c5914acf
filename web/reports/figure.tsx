import { render } from "preact";
import type { JSX } from "preact/jsx-runtime";
import { downloadText } from "../objects/csv-download.ts";

/** The colours of a chart. */
export interface ChartColours {
  paper: string;
  ink: string;
  quiet: string;
  rule: string;
  accent: string;
}

/** On the page a chart has the colours of the theme. */
export const pageColours: ChartColours = {
  paper: "none",
  ink: "var(--ink)",
  quiet: "var(--quiet)",
  rule: "var(--rule)",
  accent: "var(--accent)",
};

/** A saved chart has fixed colours, since it has no style sheet. */
const standaloneColours: ChartColours = {
  paper: "#ffffff",
  ink: "#22201c",
  quiet: "#68625a",
  rule: "#e5dfd4",
  accent: "#9a3f12",
};

export const labelStyle = { "font-family": "sans-serif", "font-size": 13 };

export const rowHeight = 26;
export const labelWidth = 220;

/** Long labels are truncated; the table has the full names. */
export const truncateChartLabel = (name: string, maxLength: number): string =>
  [...name].length > maxLength ? `${[...name].slice(0, maxLength - 1).join("")}…` : name;

interface FigureProps {
  title: string;
  colours: ChartColours;
  width: number;
  height: number;
  children: (JSX.Element | JSX.Element[])[];
}

/** The height of the title above the chart. */
const headHeight = 40;

export function Figure({ title, colours, width, height, children }: FigureProps) {
  const fullHeight = height + headHeight;
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      viewBox={`0 0 ${width} ${fullHeight}`}
      width={width}
      height={fullHeight}
      role="img"
      aria-label={title}
    >
      <title>{title}</title>
      <rect width={width} height={fullHeight} fill={colours.paper} />
      <text x={16} y={26} {...labelStyle} font-size={16} font-weight="bold" fill={colours.ink}>
        {title}
      </text>
      <g transform={`translate(0 ${headHeight})`}>{children}</g>
    </svg>
  );
}

/** Renders a chart off-screen in fixed colours, and downloads it. */
export function downloadSvg(name: string, chart: (colours: ChartColours) => JSX.Element): void {
  const container = document.createElement("div");
  render(chart(standaloneColours), container);
  downloadText(name, "image/svg+xml", container.innerHTML);
}
