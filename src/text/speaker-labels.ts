/** A line of a text. */
export interface Line {
  start: number;
  words: string;
}

export function* linesWithPlaces(text: string): Generator<Line> {
  let start = 0;
  for (const { index, 0: end } of text.matchAll(/\r\n|\n|\r/g)) {
    yield { start, words: text.slice(start, index) };
    start = index + end.length;
  }
  yield { start, words: text.slice(start) };
}

/** A name in front of a line, and where what is said begins. */
export interface Label {
  name: string;
  start: number;
  behind: number;
  /** What follows the name. */
  manner: "colon" | "bracket" | "tab" | "time";
  /** The rest of the line. */
  said: string;
  /** Where no space follows the colon, or a number stands in front, prose looks the same. */
  isWeak: boolean;
}

export const time = String.raw`\d{1,2}(?:[:.]\d{2}){1,2}(?:[.,]\d{1,3})?`;
export const bracketedTime = String.raw`[[({<#]\s?${time}(?:\s?-\s?${time})?\s?[\])}>#]`;
/** Up to forty letters, digits and what stands in names; never a quotation mark or another colon. */
const name = String.raw`[\p{L}\p{N}][\p{L}\p{M}\p{N} .'’·&/_#-]{0,39}?`;
const remark = String.raw`(?:\s*(?:\([^()\n]{1,40}\)|\[[^[\]\n]{1,40}\]))?`;
const before = String.raw`^\s{0,20}(\d{1,5}[.)]?[ \t]{1,4})?(?:(?:${bracketedTime}|${time})[ \t]{1,4})?`;

const shapes: readonly [Label["manner"], string][] = [
  [
    "colon",
    String.raw`${before}(?:\*\*|__)?(${name}${remark})\s{0,3}(?:${bracketedTime}|${time})?\s{0,3}(?:\*\*|__)?(?::(?![/\\:\d])|：)(?:\*\*|__)?`,
  ],
  ["bracket", String.raw`${before}\[(${name})\]:?[ \t]+(?=\S)`],
  ["tab", String.raw`${before}(${name})\t+(?=\S)`],
  ["time", String.raw`^\s{0,20}()(${name})[ \t]{1,9}(?:${bracketedTime}|${time})\s*$`],
];

const expressions = shapes.map(([manner, shape]) => ({ manner, shape: new RegExp(shape, "u") }));

export function labelAt({ start, words }: Line): Label | undefined {
  // A name and the times around it are short; what follows may be a book.
  const head = words.slice(0, 200);
  for (const { manner, shape } of expressions) {
    const found = shape.exec(head);
    const name = bareName(found?.[2] ?? "");
    if (!found || !isName(name)) continue;
    const [label, number] = found;
    const said = words.slice(label.length);
    const isWeak = Boolean(number) || (label.endsWith(":") && /^\S/.test(said));
    return { name, start, behind: start + label.length, manner, said, isWeak };
  }
  return undefined;
}

/** `Ana (laughing)` is Ana; `Speaker (2)` is not `Speaker (1)`. */
const bareName = (name: string): string =>
  name
    .replace(/\s*(?:\((?=\p{Ll}|\d+[:.])[^()]*\)|\[.*\])$/u, "")
    .replace(/\s+/g, " ")
    .trim();

const isName = (name: string): boolean =>
  /\p{L}/u.test(name) && name.split(" ").length <= 5 && !isMadeOf(name, noNames);

/** Whether a name has only these words. */
export const isMadeOf = (name: string, words: ReadonlySet<string>): boolean =>
  name
    .toLowerCase()
    .split(" ")
    .every((word) => words.has(word));

/** What stands before a colon in any text, however often. */
const noNames = new Set(
  [
    "note notes nb ps todo re http https www mailto e.g i.e for example",
    "yes no well ok okay so and but also first second third",
  ].flatMap((words) => words.split(" ")),
);
