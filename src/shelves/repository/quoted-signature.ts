import { compact, type PlacedSymbol, stepsOf } from "./symbols/symbol.ts";

/** The part of a line that quotes a signature, and what would stand there for another one. */
export interface QuotedSignature {
  length: number;
  text: string;
}

/**
 * Whether a line quotes a symbol's signature from a place on, from its name to its last parenthesis
 * or to its end. Spaces may differ. Nothing where the line only names it, or where it has several
 * signatures.
 */
export function quotedSignature(
  symbol: PlacedSymbol,
  line: string,
  start: number,
  instead: PlacedSymbol = symbol,
): QuotedSignature | undefined {
  const [old, fresh] = [tailOf(symbol), tailOf(instead)];
  const [said = ""] = line.slice(start, start + longestQuote).split("`", 1);
  if (old === undefined || fresh === undefined || !isTelling(old)) return undefined;
  return compared(said.replace(/[\s;{:]+$/, ""), old, fresh);
}

/** More of a line is not looked at. */
const longestQuote = 3_000;

function compared(said: string, old: string, fresh: string): QuotedSignature | undefined {
  if (plain(said) === plain(old)) return { length: said.length, text: fresh };
  const [called, oldCall] = [callOf(said), callOf(old)];
  if (called === undefined || oldCall === undefined || plain(called) !== plain(oldCall)) {
    return undefined;
  }
  return { length: called.length, text: callOf(fresh) ?? fresh };
}

/** A signature from its name on. */
function tailOf({ signature, name }: PlacedSymbol): string | undefined {
  if (signature.includes("\n")) return undefined;
  const own = (stepsOf(name).at(-1) ?? "").replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const at = signature.search(new RegExp(`(?<![\\w$])${own}(?![\\w$])`));
  return at < 0 ? undefined : withoutReceiver(signature.slice(at));
}

/** One that takes nothing is like a mere mention, and so is a name alone. */
const isTelling = (tail: string): boolean => !/^[^(]*\(\s*\)/.test(tail) && /\W./.test(tail);

/** What a method is called on is written by its author, and by nobody who quotes it. */
const withoutReceiver = (code: string): string =>
  code.replace(/\((?:&\s*(?:mut )?)?(?:self|cls)\s*(?:,\s*|(?=\)))/, "(");

const plain = (code: string): string => compact(withoutReceiver(code));

/** `name(…)`, up to the parenthesis that closes the first. */
function callOf(code: string): string | undefined {
  let depth = 0;
  const open = code.indexOf("(");
  for (let at = open; at >= 0 && at < code.length; at++) {
    if (code[at] === "(") depth++;
    if (code[at] === ")" && --depth === 0) return code.slice(0, at + 1);
  }
  return undefined;
}
