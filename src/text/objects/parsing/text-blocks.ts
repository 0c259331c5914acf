import { elementAt } from "../../arrays/element-at.ts";
import { createFields, type Fields, numeral, type Value } from "../values/value.ts";
import { collectReferences } from "./references.ts";
import { isBlank, type LineIndex, type SourceLines, trimmedSlice } from "./source.ts";

/** Text outside all objects: before the first heading, or under a heading without fields. */
export interface TextBlock {
  id: string;
  content: string;
  line: LineIndex;
  codeFences: Value[];
  references: Value[];
}

export function createTextBlock(
  source: SourceLines,
  from: LineIndex,
  to: LineIndex,
  number: number,
): TextBlock | undefined {
  let line = from;
  while (line < to && isBlank(source.lines[line])) line++;
  const content = trimmedSlice(source.lines, line, to);
  if (content === "") return undefined;
  const block = { id: `text_${number}`, content, line, codeFences: [], references: [] };
  collectReferences(source, line, to, block.references);
  return { ...block, codeFences: codeFencesIn(source, line, to) };
}

function codeFencesIn({ fences }: SourceLines, from: LineIndex, to: LineIndex): Value[] {
  const found: Value[] = [];
  for (let at = from; at < to; at++) {
    const fence = fences[at];
    if (!fence) continue;
    const end = Math.min(fence.end, to);
    found.push(
      createFields([
        ["lang", elementAt(fence.info.split(/\s/), 0)],
        ["offset_line", numeral(fence.start - from)],
        ["length_lines", numeral(end - fence.start)],
      ]),
    );
    at = end - 1;
  }
  return found;
}

export function textRecord(block: TextBlock, container: string): Fields {
  const record: Fields = createFields([
    ["__id", block.id],
    ["__kind", "__TextBlock"],
    ["content", block.content],
    ["__line", numeral(block.line + 1)],
    ["__container", container],
  ]);
  if (block.codeFences.length > 0) record.set("__code_fences", block.codeFences);
  if (block.references.length > 0) record.set("__references", block.references);
  return record;
}

/** The order of objects and text blocks in the file. */
export const documentRecord = (id: string, content: string[]): Fields =>
  createFields([
    ["__id", id],
    ["__kind", "__Document"],
    ["content", content],
  ]);
