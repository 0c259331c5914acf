/** An HTML block of CommonMark. Markdown inside it is not parsed. */
export interface HtmlBlock {
  /** Matches the last line. Without it, a blank line ends the block. */
  end?: RegExp;
  /** The length of the opening in the first line. */
  skip: number;
  isClosed?: boolean;
}

const verbatimBlocks: readonly [RegExp, RegExp][] = [
  [/^<(?:script|pre|style|textarea)(?=[\s>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<!\[CDATA\[/, /\]\]>/],
  [/^<![a-z]/i, />/],
];

const mdxComment: readonly [RegExp, RegExp] = [/^\{\/\*/, /\*\/\}/];

/** Elements that start an HTML block even inside a paragraph (CommonMark type 6). */
const blockNames =
  /^<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?=\s|\/?>|$)/i;

const loneTag =
  /^(?:<[a-z][a-z0-9-]*(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?>|<\/[a-z][a-z0-9-]*\s*>)\s*$/i;

export function htmlBlockAt(
  line: string,
  { inParagraph, isMdx }: { inParagraph: boolean; isMdx: boolean },
): HtmlBlock | undefined {
  const indent = line.length - line.trimStart().length;
  const text = line.slice(indent);
  if (text[0] !== "<" && !(isMdx && text[0] === "{")) return undefined;
  for (const [begin, end] of isMdx ? [...verbatimBlocks, mdxComment] : verbatimBlocks) {
    const head = begin.exec(text)?.[0];
    if (head) return { end, skip: indent + head.length };
  }
  if (blockNames.test(text)) return { skip: 0 };
  return !inParagraph && text.length < 10_000 && loneTag.test(text) ? { skip: 0 } : undefined;
}
