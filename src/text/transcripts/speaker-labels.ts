/** A line of a text, with its offset. */
export interface TextLine {
  start: number;
  text: string;
}

export function* linesWithOffsets(text: string): Generator<TextLine> {
  let start = 0;
  for (const { index, 0: lineEnd } of text.matchAll(/\r\n|\n|\r/g)) {
    yield { start, text: text.slice(start, index) };
    start = index + lineEnd.length;
  }
  yield { start, text: text.slice(start) };
}

/** A speaker's name at the start of a line. */
export interface SpeakerLabel {
  name: string;
  start: number;
  speechStart: number;
  /** The notation of the label. */
  style: "colon" | "bracket" | "tab" | "time";
  restOfLine: string;
  /** No space follows the colon, or a number precedes the name, so it may be prose. */
  isAmbiguous: boolean;
}

export const timePattern = String.raw`\d{1,2}(?:[:.]\d{2}){1,2}(?:[.,]\d{1,3})?`;
export const bracketedTimePattern = String.raw`[[({<#]\s?${timePattern}(?:\s?-\s?${timePattern})?\s?[\])}>#]`;
/** Up to 40 letters, digits and name punctuation; no quotation marks or colons. */
const namePattern = String.raw`[\p{L}\p{N}][\p{L}\p{M}\p{N} .'’·&/_#-]{0,39}?`;
const remarkPattern = String.raw`(?:\s*(?:\([^()\n]{1,40}\)|\[[^[\]\n]{1,40}\]))?`;
const prefixPattern = String.raw`^\s{0,20}(\d{1,5}[.)]?[ \t]{1,4})?(?:(?:${bracketedTimePattern}|${timePattern})[ \t]{1,4})?`;

const labelSources: readonly [SpeakerLabel["style"], string][] = [
  [
    "colon",
    String.raw`${prefixPattern}(?:\*\*|__)?(${namePattern}${remarkPattern})\s{0,3}(?:${bracketedTimePattern}|${timePattern})?\s{0,3}(?:\*\*|__)?(?::(?![/\\:\d])|：)(?:\*\*|__)?`,
  ],
  ["bracket", String.raw`${prefixPattern}\[(${namePattern})\]:?[ \t]+(?=\S)`],
  ["tab", String.raw`${prefixPattern}(${namePattern})\t+(?=\S)`],
  [
    "time",
    String.raw`^\s{0,20}()(${namePattern})[ \t]{1,9}(?:${bracketedTimePattern}|${timePattern})\s*$`,
  ],
];

const labelPatterns = labelSources.map(([style, source]) => ({
  style,
  pattern: new RegExp(source, "u"),
}));

export function speakerLabelAt({ start, text }: TextLine): SpeakerLabel | undefined {
  // Labels are short, lines may be very long.
  const lineStart = text.slice(0, 200);
  for (const { style, pattern } of labelPatterns) {
    const match = pattern.exec(lineStart);
    const name = bareName(match?.[2] ?? "");
    if (!match || !isName(name)) continue;
    const [label, number] = match;
    const restOfLine = text.slice(label.length);
    const isAmbiguous = Boolean(number) || (label.endsWith(":") && /^\S/.test(restOfLine));
    return { name, start, speechStart: start + label.length, style, restOfLine, isAmbiguous };
  }
  return undefined;
}

/** Strips remarks: `Ana (laughing)` is Ana. But `Speaker (2)` is not `Speaker (1)`. */
const bareName = (name: string): string =>
  name
    .replace(/\s*(?:\((?=\p{Ll}|\d+[:.])[^()]*\)|\[.*\])$/u, "")
    .replace(/\s+/g, " ")
    .trim();

const isName = (name: string): boolean =>
  /\p{L}/u.test(name) && name.split(" ").length <= 5 && !consistsOf(name, nonNames);

/** Whether a name consists only of the given words. */
export const consistsOf = (name: string, words: ReadonlySet<string>): boolean =>
  name
    .toLowerCase()
    .split(" ")
    .every((word) => words.has(word));

/** Words that often precede a colon in prose. */
const nonNames = new Set(
  [
    "note notes nb ps todo re http https www mailto e.g i.e for example",
    "yes no well ok okay so and but also first second third",
  ].flatMap((words) => words.split(" ")),
);
