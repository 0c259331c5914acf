import { elementAt } from "../../arrays/element-at.ts";
import { createFields, type Fields, numeral, type Value } from "../values/value.ts";
import { findBracketTokens } from "./brackets.ts";
import type { LineIndex, SourceLines } from "./source.ts";

/** Adds a record for each `[[#…]]` in a range of lines, except in code and `example` fences. */
export function collectReferences(
  { lines, fences }: SourceLines,
  from: LineIndex,
  to: LineIndex,
  found: Value[],
): void {
  for (let at = from; at < to; at++) {
    const line = elementAt(lines, at);
    if (!line.includes("[[#") || isExample(fences[at]?.info)) continue;
    for (const { start, end, inner } of findBracketTokens(line, "[[#")) {
      if (inner.length > 1) found.push(record(inner, at, start, end));
    }
  }
}

const isExample = (info = ""): boolean => info.split(/\s+/).slice(1).includes("example");

const record = (target: string, line: LineIndex, start: number, end: number): Fields =>
  createFields([
    ["target", target],
    ["type", typeOf(target)],
    ["line", numeral(line + 1)],
    ["start_col", numeral(start)],
    ["end_col", numeral(end)],
    ["raw", `[[${target}]]`],
  ]);

/** `#file#id` · `#Kind:id` · `#namespace:id` · `#id` */
function typeOf(target: string): string {
  if (target.includes("#", 1)) return "crossfile";
  if (!target.includes(":")) return "hash_local";
  return /^#\p{Lu}/u.test(target) ? "kind" : "namespace";
}
