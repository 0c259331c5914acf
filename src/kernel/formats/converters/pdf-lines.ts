/** A run of text on a page, as returned by the library. */
export interface TextFragment {
  str: string;
  /** The text matrix [a b c d x y]: direction and size, then the position. */
  transform: number[];
  width: number;
  dir: string;
}

export interface PageLine {
  text: string;
  /** The largest font size. */
  size: number;
  /** The distance to the previous line in font sizes; `undefined` if it is not directly below it. */
  lineSpacing: number | undefined;
}

/**
 * Groups fragments into lines by their position. They are processed in drawing order, which keeps
 * columns apart: a fragment extends the current line or starts a new one.
 */
export function groupIntoLines(fragments: readonly TextFragment[]): PageLine[] {
  const lines: (PageLine & LineGeometry)[] = [];
  for (const { str, transform, width, dir } of fragments) {
    if (str.trim() === "") continue;
    const geometry = geometryOf(transform, width);
    const line = lines.at(-1);
    if (line && isSameLine(line, geometry)) {
      // Right-to-left text may be drawn in either order.
      const isBefore = dir === "rtl" ? geometry.start >= line.end : geometry.end <= line.start;
      const space = horizontalGap(line, geometry) > 0.15 * geometry.size ? " " : "";
      line.text = isBefore ? str + space + line.text : line.text + space + str;
      line.start = Math.min(line.start, geometry.start);
      line.end = Math.max(line.end, geometry.end);
      line.size = Math.max(line.size, geometry.size);
    } else {
      lines.push({
        ...geometry,
        text: str,
        lineSpacing: line && lineSpacingBetween(line, geometry),
      });
    }
  }
  return lines.map(({ text, size, lineSpacing }) => ({
    text: cleanLine(text),
    size,
    lineSpacing,
  }));
}

/** Positions along and across the writing direction, so that rotated text works, too. */
interface LineGeometry {
  angle: number;
  start: number;
  end: number;
  across: number;
  size: number;
}

function geometryOf(
  [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0]: number[],
  width: number,
): LineGeometry {
  const angle = Math.atan2(b, a);
  const start = x * Math.cos(angle) + y * Math.sin(angle);
  const across = y * Math.cos(angle) - x * Math.sin(angle);
  return { angle, start, end: start + width, across, size: Math.hypot(c, d) || 1 };
}

const isSameLine = (line: LineGeometry, geometry: LineGeometry): boolean =>
  Math.abs(line.angle - geometry.angle) < 0.05 &&
  Math.abs(line.across - geometry.across) < 0.5 * Math.max(line.size, geometry.size);

/** The gap between the two, in either order. */
const horizontalGap = (line: LineGeometry, geometry: LineGeometry): number =>
  Math.max(geometry.start - line.end, line.start - geometry.end);

function lineSpacingBetween(line: LineGeometry, geometry: LineGeometry): number | undefined {
  if (Math.abs(line.angle - geometry.angle) >= 0.05) return undefined;
  const gap = (line.across - geometry.across) / Math.max(line.size, geometry.size);
  return gap > 0 ? gap : undefined;
}

/** Removes spaces between Han and kana characters, which are artefacts of typesetting. */
const cleanLine = (text: string): string =>
  text
    .replace(/\s+/g, " ")
    .replace(/(?<=[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]) (?=[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}])/gu, "")
    .trim();

/**
 * Separates paragraphs by empty lines: where the line spacing is larger than usual, the font size
 * changes, or the text continues elsewhere on the page.
 */
export function groupIntoParagraphs(lines: readonly PageLine[]): string[] {
  const spacings = lines.flatMap(({ lineSpacing }) =>
    lineSpacing === undefined ? [] : [lineSpacing],
  );
  const median = spacings.sort((a, b) => a - b)[Math.floor((spacings.length - 1) / 2)] ?? 1;
  // The lower bound and the cap handle pages with unusual spacing, such as double-spaced text.
  const paragraphGap = Math.max(1.3 * Math.min(median, 2.4), 1.5);
  const out: string[] = [];
  let previous: PageLine | undefined;
  for (const line of lines) {
    const isNew =
      previous !== undefined &&
      (line.lineSpacing === undefined ||
        line.lineSpacing > paragraphGap ||
        isOtherSize(previous.size, line.size));
    const text = isNew ? line.text : joinHyphenatedWord(out, line.text);
    if (isNew) out.push("");
    if (text !== "") out.push(text);
    previous = line;
  }
  return out;
}

const isOtherSize = (a: number, b: number): boolean => Math.max(a, b) > 1.2 * Math.min(a, b);

/** Joins a word hyphenated at the end of the last line. Returns the rest of the current line. */
function joinHyphenatedWord(out: string[], text: string): string {
  const hyphenated = /^(.*\p{L})[-\u00ad\u2010]$/u.exec(out.at(-1) ?? "");
  const rest = /^(\p{Ll}\S*)\s*(.*)$/u.exec(text);
  if (!hyphenated || !rest) return text;
  out[out.length - 1] = `${hyphenated[1]}${rest[1]}`;
  return rest[2] ?? "";
}
