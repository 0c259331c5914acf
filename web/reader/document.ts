import type { Output } from "../client.ts";
import { type NumberedLine, numberedLines } from "../numbered-lines.ts";

/** A page of this many lines opens at once; a longer document is read in several. */
export const mostLines = 2_000;

export interface OpenDocument {
  file: string;
  title: string;
  /** What people say of the folder it lies in. */
  context: string;
  lines: NumberedLine[];
  /** Whether the document may go on after the last of these lines. */
  mayGoOn: boolean;
}

/**
 * Reads what `get` answers. Context stands before the text. Every line of the text has its number,
 * so none but the first begins with the number of the first.
 *
 * ```
 * <!-- Context: Minutes of our meetings -->
 *
 * 7: The first line
 * 8: The second
 * ```
 */
export function documentFrom(
  file: string,
  fromLine: number,
  { title, text }: Pick<Output<"get">["document"], "title" | "text">,
): OpenDocument {
  const start = `\n${text}`.lastIndexOf(`\n${fromLine}: `);
  const before = start < 0 ? text : text.slice(0, start);
  const lines = start < 0 ? [] : numberedLines(text.slice(start));
  return {
    file,
    title,
    context: /^<!-- Context: (.*) -->\s*$/s.exec(before)?.[1] ?? "",
    lines,
    mayGoOn: lines.length === mostLines,
  };
}
