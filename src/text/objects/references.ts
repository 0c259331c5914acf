import { bracketedIn } from "./brackets.ts";
import type { LineIndex, Source } from "./source.ts";
import { type Fields, fieldsOf, numeral, type Value } from "./value.ts";

/** Adds a record for each `[[#…]]` in some lines; not in code, nor in a fence marked `example`. */
export function collectReferences(
  { lines, fences }: Source,
  from: LineIndex,
  to: LineIndex,
  found: Value[],
): void {
  for (let at = from; at < to; at++) {
    const line = lines[at] ?? "";
    if (!line.includes("[[#") || isExample(fences[at]?.info)) continue;
    for (const { start, end, inner } of bracketedIn(line, "[[#")) {
      if (inner.length > 1) found.push(record(inner, at, start, end));
    }
  }
}

const isExample = (info = ""): boolean => info.split(/\s+/).slice(1).includes("example");

const record = (target: string, line: LineIndex, start: number, end: number): Fields =>
  fieldsOf([
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
