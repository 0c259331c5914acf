import { diffArrays, formatPatch, OMIT_HEADERS, structuredPatch } from "diff";
import { splitLines } from "../strings/lines.ts";

/** Longer edit scripts are slow to find; beyond this, the diff replaces the whole text. */
const maxEditLength = 300;

/** A unified diff of two versions of a file. Undefined means that the file does not exist. */
export function unifiedDiff(
  file: string,
  before: string | undefined,
  after: string | undefined,
): string {
  const head = [
    `--- ${before === undefined ? "/dev/null" : `a/${file}`}`,
    `+++ ${after === undefined ? "/dev/null" : `b/${file}`}`,
  ];
  return [...head, ...hunksOf(withNewlines(before), withNewlines(after))].join("\n");
}

/** The lines of a text, each ended by `\n`, so that the diff ignores changed line endings. */
const withNewlines = (text: string | undefined): string[] =>
  text === undefined || text === ""
    ? []
    : splitLines(text.replace(/(\r\n|\n|\r)$/, "")).map((line) => `${line}\n`);

function hunksOf(old: readonly string[], updated: readonly string[]): string[] {
  const patch = structuredPatch("", "", old.join(""), updated.join(""), "", "", {
    context: 3,
    maxEditLength,
  });
  if (!patch) return replacementHunk(old, updated);
  return patch.hunks.length === 0
    ? []
    : formatPatch(patch, OMIT_HEADERS).replace(/\n$/, "").split("\n");
}

const replacementHunk = (old: readonly string[], updated: readonly string[]): string[] => [
  `@@ -${old.length === 0 ? 0 : 1},${old.length} +${updated.length === 0 ? 0 : 1},${updated.length} @@`,
  ...old.map((line) => `-${line.slice(0, -1)}`),
  ...updated.map((line) => `+${line.slice(0, -1)}`),
];

/** A run of parts that are common to both lists (" "), removed ("-") or added ("+"). */
export interface DiffRun {
  sign: " " | "-" | "+";
  parts: readonly string[];
}

/**
 * The shortest edit script between two lists (Myers diff), or one replacement of everything if the
 * script would be too long.
 */
export function computeDiff(old: readonly string[], updated: readonly string[]): DiffRun[] {
  const changes = diffArrays([...old], [...updated], { maxEditLength });
  if (!changes) {
    return [
      { sign: "-", parts: old },
      { sign: "+", parts: updated },
    ];
  }
  return changes.map(({ added, removed, value }) => ({
    sign: added ? "+" : removed ? "-" : " ",
    parts: value,
  }));
}
