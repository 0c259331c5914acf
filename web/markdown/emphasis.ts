import type { Inline } from "./inline-part.ts";

/** A run of signs that may begin or end an emphasis. */
export interface Delimiter {
  kind: "delimiter";
  sign: string;
  count: number;
  opens: boolean;
  closes: boolean;
}

export type Piece = Inline | Delimiter;

/** Nobody emphasises more often in one paragraph; where somebody seems to, signs are letters. */
const mostDelimiters = 500;

/** Joins each sign that closes with the nearest one before it that opens, as CommonMark does. */
export function emphasised(pieces: readonly Piece[]): Inline[] {
  const all = [...pieces];
  if (all.filter(({ kind }) => kind === "delimiter").length > mostDelimiters) return lettersOf(all);
  let at = 0;
  while (at < all.length) {
    const closer = all[at];
    const from = closer?.kind === "delimiter" ? openerBefore(all, at, closer) : -1;
    const opener = all[from];
    if (closer?.kind !== "delimiter" || opener?.kind !== "delimiter") {
      at++;
      continue;
    }
    const width = Math.min(closer.count, opener.count, 2);
    const kind = closer.sign === "~" ? "struck" : width === 2 ? "strong" : "emphasis";
    const inner = lettersOf(all.slice(from + 1, at));
    const left = { ...opener, count: opener.count - width };
    const right = { ...closer, count: closer.count - width };
    const joined: Piece[] = [
      ...(left.count > 0 ? [left] : []),
      { kind, inner },
      ...(right.count > 0 ? [right] : []),
    ];
    all.splice(from, at - from + 1, ...joined);
    at = from + joined.length - (right.count > 0 ? 1 : 0);
  }
  return lettersOf(all);
}

/** Runs whose lengths add up to three do not match where one of them could do both. */
function openerBefore(all: readonly Piece[], at: number, closer: Delimiter): number {
  if (!closer.closes) return -1;
  return all.findLastIndex((one, place) => {
    if (place >= at || one.kind !== "delimiter" || !one.opens || one.sign !== closer.sign) {
      return false;
    }
    const isEither = (one.closes || closer.opens) && (one.count + closer.count) % 3 === 0;
    return !isEither || (one.count % 3 === 0 && closer.count % 3 === 0);
  });
}

/** Signs that found no partner are letters; letters side by side are one text. */
function lettersOf(pieces: readonly Piece[]): Inline[] {
  const parts: Inline[] = [];
  for (const piece of pieces) {
    const part: Inline =
      piece.kind === "delimiter" ? { kind: "text", text: piece.sign.repeat(piece.count) } : piece;
    const last = parts.at(-1);
    if (part.kind === "text" && last?.kind === "text") {
      parts[parts.length - 1] = { kind: "text", text: last.text + part.text };
    } else parts.push(part);
  }
  return parts;
}
