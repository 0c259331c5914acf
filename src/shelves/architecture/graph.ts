import { visible } from "../../text/visible.ts";
import { calledBy } from "./asked-record.ts";
import type { PlacedRecord, RecordSet } from "./record-set.ts";

export type GraphLanguage = "mermaid" | "dot";

/** The decisions and what they say of one another, as a drawing to be made from text. */
export function graphOf(set: RecordSet, language: GraphLanguage): string {
  const ids = new Map(set.decisions.map((record, index) => [record, `d${index + 1}`]));
  const arrows = arrowsOf(set).map(({ from, to, words }) => ({
    from: ids.get(from) ?? "",
    to: ids.get(to) ?? "",
    words,
  }));
  return language === "mermaid" ? mermaid(ids, arrows) : dot(ids, arrows);
}

interface Arrow<End> {
  from: End;
  to: End;
  words: string;
}

/** Each thing once: what both sides say is drawn from the newer one. */
function arrowsOf(set: RecordSet): Arrow<PlacedRecord>[] {
  const drawn = new Map<string, Arrow<PlacedRecord>>();
  const draw = (from: PlacedRecord, to: PlacedRecord, words: string) => {
    drawn.set(`${from.file}\n${to.file}\n${words.toLowerCase()}`, { from, to, words });
  };
  for (const { older, newer, partial } of set.successions) {
    draw(newer, older, partial ? "supersedes in part" : "supersedes");
  }
  for (const record of set.decisions) {
    for (const { relation, verb, target } of set.linksOf(record)) {
      if (!target || target === record) continue;
      if (relation === "amends") draw(record, target, "amends");
      else if (relation === "amended by") draw(target, record, "amends");
      else if (relation === "other") draw(record, target, verb.toLowerCase());
    }
  }
  return [...drawn.values()];
}

type Ids = ReadonlyMap<PlacedRecord, string>;

function mermaid(ids: Ids, arrows: readonly Arrow<string>[]): string {
  const nodes = [...ids].map(
    ([record, id]) => `  ${id}["${inMermaid(calledBy(record))}"]:::${record.status ?? "unknown"}`,
  );
  const edges = arrows.map(({ from, to, words }) => `  ${from} -->|"${inMermaid(words)}"| ${to}`);
  const looks = Object.entries(fills).map(([status, fill]) => `  classDef ${status} fill:${fill}`);
  return ["flowchart TD", ...nodes, ...edges, ...looks].join("\n");
}

const fills = {
  proposed: "#fff3bf",
  accepted: "#d3f9d8",
  rejected: "#ffe3e3",
  deprecated: "#e9ecef",
  superseded: "#e9ecef",
  other: "#ffffff",
  unknown: "#ffffff",
};

/** Every sign that means something to the language is written by its number. */
const inMermaid = (words: string): string =>
  visible(words).replace(/[^\p{L}\p{N} .,_-]/gu, (sign) => `#${sign.codePointAt(0)};`);

function dot(ids: Ids, arrows: readonly Arrow<string>[]): string {
  const nodes = [...ids].map(([record, id]) => {
    const fill = fills[record.status ?? "unknown"];
    return `  ${id} [label=${inDot(calledBy(record))}, fillcolor="${fill}"];`;
  });
  const edges = arrows.map(({ from, to, words }) => `  ${from} -> ${to} [label=${inDot(words)}];`);
  const look = '  node [shape=box, style="rounded,filled"];';
  return ["digraph decisions {", look, ...nodes, ...edges, "}"].join("\n");
}

const inDot = (words: string): string =>
  `"${visible(words).replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
