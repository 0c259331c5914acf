import type { Plot } from "./plot.ts";

/** A figure that the project is asked for, and whether this run reached it. */
export interface Demand {
  what: string;
  needed: string;
  /** Absent where this run did not measure it. */
  measured?: { figure: string; isReached: boolean } | undefined;
}

/** A part of the page, with the demands that it answers. */
export interface Section {
  title: string;
  text: string;
  demands: Demand[];
  plots?: Plot[];
}

/** A section as it stands on the page, with its pictures behind the text. */
export const sectionText = ({ title, text, plots = [] }: Section): string =>
  [`## ${title}`, text, ...plots.map(({ name, about }) => `![${about}](figures/${name}.svg)`)].join(
    "\n\n",
  );

export const table = (head: string[], rows: readonly (readonly (string | number)[])[]): string =>
  [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;

export const demandTable = (demands: readonly Demand[]): string =>
  table(["what", "needed", "this run", "reached"], demands.map(demandCells));

const demandCells = ({ what, needed, measured }: Demand): string[] => [
  what,
  needed,
  measured?.figure ?? "–",
  measured ? (measured.isReached ? "yes" : "**no**") : "not measured",
];

/** A page on which one section, and the demands that it answers, are those of another run. */
export function renewed(page: string, section: Section): string {
  const lines = new Map(section.demands.map((demand) => [demand.what, row(demandCells(demand))]));
  return page
    .split(/^(?=## )/m)
    .map((part, place, parts) => {
      if (!part.startsWith(`## ${section.title}\n`)) return part;
      return `${sectionText(section)}\n${place < parts.length - 1 ? "\n" : ""}`;
    })
    .join("")
    .replace(/^\| ([^|]+) \|.*$/gm, (line, what: string) => lines.get(what) ?? line);
}

export const times = (ratio: number): string => `${ratio.toFixed(ratio < 10 ? 2 : 1)} ×`;

export const ms = (value: number): string =>
  value < 10 ? `${value.toFixed(2)} ms` : `${value.toFixed(0)} ms`;

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;

export const kilobytes = (bytes: number): string => `${(bytes / 1e3).toFixed(1)} kB`;
