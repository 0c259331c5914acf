/**
 * Signs that carry meaning in code. They are indexed as tokens of their own, beside the words that
 * they stand with:
 *
 * ```
 * :has(a)  →  :has, has, a        --dry-run=server  →  --dry-run, dry, run, server
 * C++      →  c++, c              (a) => b          →  a, =>, b
 * ```
 *
 * `codeAt` gives the folded UTF-16 unit at an offset, and 0 outside of the text.
 */
export type CodeAt = (at: number) => number;

/** Operators that stand alone: the whole run of operator signs must be one of these. */
const operators = new Set(
  `=> -> <- ?. ?? ??= && || &&= ||= == === != !== <= >= <=> := |> << >> >>> += -= ..= =~ !~ ::
   ?: ... !! <<< <<- //! ///`.split(/\s+/),
);

/**
 * What opens or closes something, whatever stands behind it: groups of regular expressions,
 * expressions of templates, attributes of Rust and alerts of Markdown.
 */
const brackets = ["(?<=", "(?<!", "(?=", "(?!", "(?:", "${{", "{{", "}}", "#![", "#[", "[!"].map(
  (signs) => [...signs].map((sign) => sign.charCodeAt(0)),
);

/** Three dots before a word. Alone, they are this operator in a query only. */
export const spreadOperator = "...";

/** The length of a marker of a merge conflict: `<<<<<<< HEAD`. */
const markerLength = 7;

const maxOperatorLength = 3;
const maxSymbolLength = 64;

const codesOf = (chars: string): ReadonlySet<number> =>
  new Set([...chars].map((char) => char.charCodeAt(0)));

/** ASCII characters as a table: a set is too slow for every character of a library. */
function tableOf(chars: string): (code: number) => boolean {
  const table = new Uint8Array(128);
  for (const char of chars) table[char.charCodeAt(0)] = 1;
  return (code) => table[code] === 1;
}

const isOperatorSign = tableOf("=<>!&|?:.+-~*^%/");

/** Signs that are operators by themselves where they stand apart: `? operator`. */
const isLoneSign = tableOf("?!&~^%");

/** Whether a symbol may begin with this unit: a quick check before `symbolEnd`. */
export const canStartSymbol = tableOf("#.:@$-=<>!&|?+(/~^%*{}[");

/** What may stand before a word with a sign, beside spaces, letters beyond ASCII and the start. */
const opening = "`'\"([{,|*";
const precededBy = new Map(
  Object.entries({
    // Headings of Markdown name their anchors `{#anchor}`, and links lead to `(#anchor)`.
    "#": "`'\"",
    ".": `${opening}/`,
    ":": opening,
    "@": `${opening}/`,
    $: `${opening}/=:-`,
    "-": opening,
    // `!important` and tags of YAML, but not a negation as in `(!done`.
    "!": "`'\"",
  }).map(([sign, before]) => [sign.charCodeAt(0), codesOf(before)]),
);

/** The end of the symbol that begins at an offset; the offset itself if there is none. */
export function symbolEnd(codeAt: CodeAt, at: number): number {
  const code = codeAt(at);
  const next = codeAt(at + 1);
  if (isLoneSign(code) && isAlone(codeAt, at)) return at + 1;
  // The usual sign ends a sentence or a clause.
  if (next === space) return at;
  if (next === backtick) return codeAt(at - 1) === backtick ? at + 1 : at;
  if (isBracketSign(next)) {
    const end = bracketEnd(codeAt, at);
    if (end > at) return end;
  }
  if (isLetter(next) || next === code) {
    const end = signedWordEnd(codeAt, at);
    if (end > at) return end;
  }
  return isOperatorSign(code) && isOperatorSign(next) ? operatorEnd(codeAt, at) : at;
}

/** Between spaces or the ends of the text, but not as in `Really ?`, where it ends a sentence. */
const isAlone = (codeAt: CodeAt, at: number): boolean =>
  codeAt(at - 1) <= space && codeAt(at + 1) <= space && !isWordCode(codeAt(at - 2));

function bracketEnd(codeAt: CodeAt, at: number): number {
  const bracket = brackets.find((codes) =>
    codes.every((code, offset) => codeAt(at + offset) === code),
  );
  return at + (bracket?.length ?? 0);
}

function operatorEnd(codeAt: CodeAt, at: number): number {
  if (isOperatorSign(codeAt(at - 1))) return at;
  let run = "";
  while (isOperatorSign(codeAt(at + run.length))) {
    if (run.length === maxOperatorLength) return markerEnd(codeAt, at);
    run += String.fromCharCode(codeAt(at + run.length));
  }
  const end = at + run.length;
  if (!operators.has(run)) return at;
  // Three dots after a word are an ellipsis; before one they spread it.
  const isEllipsis = isWordCode(codeAt(at - 1)) || !isWordCode(codeAt(end));
  return run === spreadOperator && isEllipsis ? at : end;
}

function markerEnd(codeAt: CodeAt, at: number): number {
  let end = at;
  while (codeAt(end) === codeAt(at) && end - at <= markerLength) end++;
  return end - at === markerLength && codeAt(end) <= space ? end : at;
}

/** The end of a word with its sign in front: `:has`, `::before`, `.env`, `!important`, `--dry-run`. */
function signedWordEnd(codeAt: CodeAt, at: number): number {
  const sign = codeAt(at);
  const allowed = precededBy.get(sign);
  if (!allowed) return at;
  const isDouble = codeAt(at + 1) === sign;
  if (sign === hyphen ? !isDouble : isDouble && sign !== colon) return at;
  const start = isDouble ? at + 2 : at + 1;
  if (!isLetter(codeAt(start))) return at;
  const before = codeAt(at - 1);
  const isFree = before <= space || before >= 0x80 || allowed.has(before);
  if (!isFree && (sign !== colon || before === colon)) return at;
  let end = start;
  while (isWordCode(codeAt(end)) || (codeAt(end) === hyphen && isWordCode(codeAt(end + 1)))) {
    if (++end - at > maxSymbolLength) return at;
  }
  // In `a:has(b)` the sign follows a word.
  return isFree || codeAt(end) === parenthesis ? end : at;
}

/** The end of a word with signs behind it, as in `C++`, `g++` and `F#`; else the word's own end. */
export function suffixEnd(codeAt: CodeAt, start: number, end: number): number {
  const isAscii = isLetter(codeAt(start)) && end - start <= 12;
  if (!isAscii) return end;
  if (codeAt(end) === plus && codeAt(end + 1) === plus && !isWordCode(codeAt(end + 2))) {
    return end + 2;
  }
  const isSharp = codeAt(end) === sharp && end - start <= 2 && !isWordCode(codeAt(end + 1));
  return isSharp ? end + 1 : end;
}

const [plus, sharp, hyphen, colon] = [0x2b, 0x23, 0x2d, 0x3a];
const [space, parenthesis, backtick] = [0x20, 0x28, 0x60];

/** The second sign of each of the brackets. */
const isBracketSign = tableOf("?{}![");

const isLetter = (code: number): boolean => (code >= 0x61 && code <= 0x7a) || code === 0x5f;
const isWordCode = (code: number): boolean => isLetter(code) || (code >= 0x30 && code <= 0x39);
