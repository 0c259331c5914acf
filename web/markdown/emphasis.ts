import type { InlineNode } from "./inline-node.ts";

/** A CommonMark delimiter run: characters that may open or close an emphasis. */
export interface Delimiter {
  kind: "delimiter";
  sign: string;
  count: number;
  opens: boolean;
  closes: boolean;
}

export type InlineToken = InlineNode | Delimiter;

/** Matching is quadratic; with more delimiters than this they are plain text. */
const maxDelimiters = 500;

/** Matches each closing delimiter with the nearest opener before it, as in CommonMark. */
export function resolveEmphasis(input: readonly InlineToken[]): InlineNode[] {
  const tokens = [...input];
  if (tokens.filter(({ kind }) => kind === "delimiter").length > maxDelimiters) {
    return mergeText(tokens);
  }
  let at = 0;
  while (at < tokens.length) {
    const closer = tokens[at];
    const from = closer?.kind === "delimiter" ? openerBefore(tokens, at, closer) : -1;
    const opener = tokens[from];
    if (closer?.kind !== "delimiter" || opener?.kind !== "delimiter") {
      at++;
      continue;
    }
    const width = Math.min(closer.count, opener.count, 2);
    const kind = closer.sign === "~" ? "struck" : width === 2 ? "strong" : "emphasis";
    const inner = mergeText(tokens.slice(from + 1, at));
    const left = { ...opener, count: opener.count - width };
    const right = { ...closer, count: closer.count - width };
    const joined: InlineToken[] = [
      ...(left.count > 0 ? [left] : []),
      { kind, inner },
      ...(right.count > 0 ? [right] : []),
    ];
    tokens.splice(from, at - from + 1, ...joined);
    at = from + joined.length - (right.count > 0 ? 1 : 0);
  }
  return mergeText(tokens);
}

/**
 * The CommonMark rule of three: if either run can both open and close, the sum of their lengths
 * must not be a multiple of three, unless both lengths are.
 */
function openerBefore(tokens: readonly InlineToken[], at: number, closer: Delimiter): number {
  if (!closer.closes) return -1;
  return tokens.findLastIndex((opener, index) => {
    if (index >= at || opener.kind !== "delimiter") return false;
    if (!opener.opens || opener.sign !== closer.sign) return false;
    const isRuledOut = (opener.closes || closer.opens) && (opener.count + closer.count) % 3 === 0;
    return !isRuledOut || (opener.count % 3 === 0 && closer.count % 3 === 0);
  });
}

/** Turns unmatched delimiters into text, and merges adjacent text nodes. */
function mergeText(tokens: readonly InlineToken[]): InlineNode[] {
  const nodes: InlineNode[] = [];
  for (const token of tokens) {
    const node: InlineNode =
      token.kind === "delimiter" ? { kind: "text", text: token.sign.repeat(token.count) } : token;
    const last = nodes.at(-1);
    if (node.kind === "text" && last?.kind === "text") {
      nodes[nodes.length - 1] = { kind: "text", text: last.text + node.text };
    } else nodes.push(node);
  }
  return nodes;
}
