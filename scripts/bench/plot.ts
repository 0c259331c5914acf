import { escapeXml } from "../../src/text/formats/xml-escape.ts";

/** An SVG chart for light and dark backgrounds. */
export interface Plot {
  /** The file name without its extension. */
  name: string;
  /** The title, also used as alternative text. */
  title: string;
  svg: string;
}

export interface Bar {
  label: string;
  value: number;
  shown: string;
}

const width = 720;
const style = `<style>
text { font: 13px system-ui, sans-serif; fill: #3d3a36; }
.title { font-weight: 600; font-size: 15px; }
.small { font-size: 11px; fill: #6b665f; }
.bar { fill: #a8642a; }
.other { fill: #b9b2a7; }
.line { fill: none; stroke: #a8642a; stroke-width: 2; }
.dot { fill: #a8642a; }
.axis { stroke: #b9b2a7; stroke-width: 1; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6e1d9; }
  .small { fill: #aaa399; }
  .bar, .dot { fill: #e0a060; }
  .other { fill: #6b665f; }
  .line { stroke: #e0a060; }
  .axis { stroke: #6b665f; }
}
</style>`;

/** A horizontal bar chart. */
export function bars(name: string, title: string, all: readonly Bar[]): Plot {
  const max = Math.max(...all.map(({ value }) => value));
  const [left, step, maxLength] = [250, 28, width - 250 - 90];
  const rows = all.map(({ label, value, shown }, index) => {
    const y = 44 + index * step;
    const length = Math.max((value / max) * maxLength, 1);
    return `<text x="${left - 10}" y="${y + 14}" text-anchor="end">${escapeXml(label)}</text>
<rect class="bar" x="${left}" y="${y}" width="${length.toFixed(1)}" height="18" rx="2"/>
<text x="${(left + length + 8).toFixed(1)}" y="${y + 14}">${escapeXml(shown)}</text>`;
  });
  return { name, title, svg: frameSvg(title, 44 + all.length * step + 12, rows) };
}

/**
 * A line chart. Both axes are logarithmic with the same scale: a constant value is a horizontal line,
 * and linear growth is the diagonal.
 */
export function line(
  name: string,
  title: string,
  points: readonly { x: number; y: number; label: string }[],
): Plot {
  const [left, top, right, bottom] = [60, 60, width - 60, 250];
  const min = {
    x: Math.min(...points.map(({ x }) => x)),
    y: Math.min(...points.map(({ y }) => y)),
  };
  const span = Math.log(Math.max(...points.map(({ x }) => x)) / min.x) || 1;
  const positions = points.map(({ x, y, label }) => ({
    at: left + (Math.log(x / min.x) / span) * (right - left),
    high: bottom - (Math.log(y / min.y) / span) * (bottom - top),
    x,
    label,
  }));
  const path = positions.map(({ at, high }) => `${at.toFixed(1)},${high.toFixed(1)}`).join(" ");
  const marks = positions.map(
    ({
      at,
      high,
      x,
      label,
    }) => `<circle class="dot" cx="${at.toFixed(1)}" cy="${high.toFixed(1)}" r="4"/>
<text x="${at.toFixed(1)}" y="${(high - 12).toFixed(1)}" text-anchor="middle">${escapeXml(label)}</text>
<text class="small" x="${at.toFixed(1)}" y="${bottom + 24}" text-anchor="middle">${x}</text>`,
  );
  const axis = `<path class="axis" d="M${left - 20} ${bottom + 6}H${right + 20}"/>`;
  return {
    name,
    title,
    svg: frameSvg(title, bottom + 40, [
      axis,
      `<polyline class="line" points="${path}"/>`,
      ...marks,
    ]),
  };
}

const frameSvg = (title: string, height: number, parts: readonly string[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(title)}">
${style}
<text class="title" x="20" y="26">${escapeXml(title)}</text>
${parts.join("\n")}
</svg>
`;
