import { toPrintable } from "../../../text/strings/printable.ts";
import { decisionLabel } from "./decision-lookup.ts";
import type { PlacedRecord, RecordSet } from "./record-set.ts";

export type GraphLanguage = "mermaid" | "dot";

/** The decisions and the links between them as Mermaid or DOT source. */
export function renderDecisionGraph(set: RecordSet, language: GraphLanguage): string {
  const ids = new Map(set.decisions.map((record, index) => [record, `d${index + 1}`]));
  const arrows = collectArrows(set).map(({ from, to, label }) => ({
    from: ids.get(from) ?? "",
    to: ids.get(to) ?? "",
    label,
  }));
  return language === "mermaid" ? renderMermaid(ids, arrows) : renderDot(ids, arrows);
}

interface Arrow<End> {
  from: End;
  to: End;
  label: string;
}

/** One arrow per relation: a relation stated on both sides is drawn from the newer record. */
function collectArrows(set: RecordSet): Arrow<PlacedRecord>[] {
  const arrows = new Map<string, Arrow<PlacedRecord>>();
  const addArrow = (from: PlacedRecord, to: PlacedRecord, label: string) => {
    arrows.set(`${from.file}\n${to.file}\n${label.toLowerCase()}`, { from, to, label });
  };
  for (const { older, newer, partial } of set.supersessions) {
    addArrow(newer, older, partial ? "supersedes in part" : "supersedes");
  }
  for (const record of set.decisions) {
    for (const { relation, verb, target } of set.linksOf(record)) {
      if (!target || target === record) continue;
      if (relation === "amends") addArrow(record, target, "amends");
      else if (relation === "amended by") addArrow(target, record, "amends");
      else if (relation === "other") addArrow(record, target, verb.toLowerCase());
    }
  }
  return [...arrows.values()];
}

type Ids = ReadonlyMap<PlacedRecord, string>;

function renderMermaid(ids: Ids, arrows: readonly Arrow<string>[]): string {
  const nodes = [...ids].map(
    ([record, id]) =>
      `  ${id}["${escapeMermaid(decisionLabel(record))}"]:::${record.status ?? "unknown"}`,
  );
  const edges = arrows.map(
    ({ from, to, label }) => `  ${from} -->|"${escapeMermaid(label)}"| ${to}`,
  );
  const classes = Object.entries(statusColors).map(
    ([status, fill]) => `  classDef ${status} fill:${fill}`,
  );
  return ["flowchart TD", ...nodes, ...edges, ...classes].join("\n");
}

const statusColors = {
  proposed: "#fff3bf",
  accepted: "#d3f9d8",
  rejected: "#ffe3e3",
  deprecated: "#e9ecef",
  superseded: "#e9ecef",
  other: "#ffffff",
  unknown: "#ffffff",
};

/** Escapes every character that has a meaning in Mermaid as a character reference. */
const escapeMermaid = (label: string): string =>
  toPrintable(label).replace(/[^\p{L}\p{N} .,_-]/gu, (sign) => `#${sign.codePointAt(0)};`);

function renderDot(ids: Ids, arrows: readonly Arrow<string>[]): string {
  const nodes = [...ids].map(([record, id]) => {
    const fill = statusColors[record.status ?? "unknown"];
    return `  ${id} [label=${escapeDot(decisionLabel(record))}, fillcolor="${fill}"];`;
  });
  const edges = arrows.map(
    ({ from, to, label }) => `  ${from} -> ${to} [label=${escapeDot(label)}];`,
  );
  const nodeStyle = '  node [shape=box, style="rounded,filled"];';
  return ["digraph decisions {", nodeStyle, ...nodes, ...edges, "}"].join("\n");
}

const escapeDot = (label: string): string =>
  `"${toPrintable(label).replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
