import { collectReferences } from "./references.ts";
import { isBlank, type LineIndex, type Source, slice } from "./source.ts";
import { type Fields, fieldsOf, numeral, type Value } from "./value.ts";

/** Words that belong to no object: a heading without fields, or what stands before the first. */
export interface TextBlock {
  id: string;
  content: string;
  line: LineIndex;
  codeFences: Value[];
  references: Value[];
}

export function textBlockOf(
  source: Source,
  from: LineIndex,
  to: LineIndex,
  number: number,
): TextBlock | undefined {
  let line = from;
  while (line < to && isBlank(source.lines[line])) line++;
  const content = slice(source.lines, line, to);
  if (content === "") return undefined;
  const block = { id: `text_${number}`, content, line, codeFences: [], references: [] };
  collectReferences(source, line, to, block.references);
  return { ...block, codeFences: codeFencesIn(source, line, to) };
}

function codeFencesIn({ fences }: Source, from: LineIndex, to: LineIndex): Value[] {
  const found: Value[] = [];
  for (let at = from; at < to; at++) {
    const fence = fences[at];
    if (!fence) continue;
    const end = Math.min(fence.end, to);
    found.push(
      fieldsOf([
        ["lang", fence.info.split(/\s/)[0] ?? ""],
        ["offset_line", numeral(fence.start - from)],
        ["length_lines", numeral(end - fence.start)],
      ]),
    );
    at = end - 1;
  }
  return found;
}

export function textRecord(block: TextBlock, container: string): Fields {
  const record: Fields = fieldsOf([
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

/** The order in which objects and blocks of text stand in their file. */
export const documentOf = (id: string, content: string[]): Fields =>
  fieldsOf([
    ["__id", id],
    ["__kind", "__Document"],
    ["content", content],
  ]);
