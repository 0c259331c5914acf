import { type LocatedSymbol, normalizeCode, splitName } from "../symbols/code-symbol.ts";

/** The part of a line that quotes a signature, and its replacement. */
export interface QuotedSignature {
  length: number;
  text: string;
}

/**
 * Finds a quotation of a symbol's signature from a position on, from its name to its last
 * parenthesis or its end. White space may differ. Undefined if the line only contains the name, or
 * the symbol has several signatures.
 */
export function findQuotedSignature(
  symbol: LocatedSymbol,
  line: string,
  start: number,
  replacement: LocatedSymbol = symbol,
): QuotedSignature | undefined {
  const [oldText, newText] = [signatureFromName(symbol), signatureFromName(replacement)];
  const [quoted = ""] = line.slice(start, start + maxQuoteLength).split("`", 1);
  if (oldText === undefined || newText === undefined || !isDistinctive(oldText)) return undefined;
  return matchSignature(quoted.replace(/[\s;{:]+$/, ""), oldText, newText);
}

/** The rest of a longer line is ignored. */
const maxQuoteLength = 3_000;

function matchSignature(
  quoted: string,
  oldText: string,
  newText: string,
): QuotedSignature | undefined {
  if (normalizeSignature(quoted) === normalizeSignature(oldText))
    return { length: quoted.length, text: newText };
  const [quotedCall, oldCall] = [callPrefix(quoted), callPrefix(oldText)];
  if (
    quotedCall === undefined ||
    oldCall === undefined ||
    normalizeSignature(quotedCall) !== normalizeSignature(oldCall)
  ) {
    return undefined;
  }
  return { length: quotedCall.length, text: callPrefix(newText) ?? newText };
}

/** A signature starting at its name. */
function signatureFromName({ signature, name }: LocatedSymbol): string | undefined {
  if (signature.includes("\n")) return undefined;
  const escapedName = (splitName(name).at(-1) ?? "").replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const at = signature.search(new RegExp(`(?<![\\w$])${escapedName}(?![\\w$])`));
  return at < 0 ? undefined : withoutReceiver(signature.slice(at));
}

/** A signature without parameters, or a bare name, cannot be distinguished from a mention. */
const isDistinctive = (tail: string): boolean => !/^[^(]*\(\s*\)/.test(tail) && /\W./.test(tail);

/** The receiver parameter (`self`, `cls`) appears in declarations but not in quotations. */
const withoutReceiver = (code: string): string =>
  code.replace(/\((?:&\s*(?:mut )?)?(?:self|cls)\s*(?:,\s*|(?=\)))/, "(");

const normalizeSignature = (code: string): string => normalizeCode(withoutReceiver(code));

/** `name(…)` up to the matching parenthesis. */
function callPrefix(code: string): string | undefined {
  let depth = 0;
  const start = code.indexOf("(");
  for (let index = start; index >= 0 && index < code.length; index++) {
    if (code[index] === "(") depth++;
    if (code[index] === ")" && --depth === 0) return code.slice(0, index + 1);
  }
  return undefined;
}
