import type { Plot } from "./plot.ts";

/** A required figure, and whether this run met it. */
export interface Target {
  name: string;
  required: string;
  /** Undefined if this run did not measure it. */
  measured?: { figure: string; isMet: boolean } | undefined;
}

/** A section of the page, with its targets. */
export interface Section {
  title: string;
  text: string;
  targets: Target[];
  plots?: Plot[];
}

/** A section in Markdown, with its charts after the text. */
export const sectionText = ({ title, text, plots = [] }: Section): string =>
  [`## ${title}`, text, ...plots.map(({ name, title }) => `![${title}](figures/${name}.svg)`)].join(
    "\n\n",
  );

export const table = (head: string[], rows: readonly (readonly (string | number)[])[]): string =>
  [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;

export const targetTable = (targets: readonly Target[]): string =>
  table(["metric", "target", "this run", "met"], targets.map(targetCells));

const targetCells = ({ name, required, measured }: Target): string[] => [
  name,
  required,
  measured?.figure ?? "–",
  measured ? (measured.isMet ? "yes" : "**no**") : "not measured",
];

/** Replaces a section of the page and its targets with those of another run; appends a new section. */
export function replaceSection(page: string, section: Section): string {
  const lines = new Map(section.targets.map((target) => [target.name, row(targetCells(target))]));
  const isSection = (part: string) => part.startsWith(`## ${section.title}\n`);
  const parts = page.split(/^(?=## )/m);
  if (!parts.some(isSection)) return `${page}\n${sectionText(section)}\n`;
  return parts
    .map((part, index) => {
      if (!isSection(part)) return part;
      return `${sectionText(section)}\n${index < parts.length - 1 ? "\n" : ""}`;
    })
    .join("")
    .replace(/^\| ([^|]+) \|.*$/gm, (line, name: string) => lines.get(name) ?? line);
}

export const times = (ratio: number): string => `${ratio.toFixed(ratio < 10 ? 2 : 1)} ×`;

export const ms = (value: number): string =>
  value < 10 ? `${value.toFixed(2)} ms` : `${value.toFixed(0)} ms`;

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;

export const kilobytes = (bytes: number): string => `${(bytes / 1e3).toFixed(1)} kB`;
