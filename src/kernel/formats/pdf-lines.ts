/** A run of letters on a page, as the library gives it: where it stands, and how wide it is. */
export interface Fragment {
  str: string;
  /** From letters to the page: two pairs for direction and size, then the place. */
  transform: number[];
  width: number;
  dir: string;
}

export interface PageLine {
  text: string;
  /** The height of its largest letters. */
  size: number;
  /** How far below the line before, in heights of a letter; `undefined` where it starts elsewhere. */
  below: number | undefined;
}

/**
 * Puts fragments together to lines by where they stand. They are taken in the order in which the
 * page draws them, because that keeps columns apart; a fragment belongs to the line that is being
 * drawn, or begins a new one.
 */
export function linesOfPage(fragments: readonly Fragment[]): PageLine[] {
  const lines: (PageLine & Place)[] = [];
  for (const { str, transform, width, dir } of fragments) {
    if (str.trim() === "") continue;
    const place = placeOf(transform, width);
    const line = lines.at(-1);
    if (line && isSameLine(line, place)) {
      // Scripts that run to the left are drawn in either order.
      const isBefore = dir === "rtl" ? place.start >= line.end : place.end <= line.start;
      const space = distance(line, place) > 0.15 * place.size ? " " : "";
      line.text = isBefore ? str + space + line.text : line.text + space + str;
      line.start = Math.min(line.start, place.start);
      line.end = Math.max(line.end, place.end);
      line.size = Math.max(line.size, place.size);
    } else {
      lines.push({ ...place, text: str, below: line && lowering(line, place) });
    }
  }
  return lines.map(({ text, size, below }) => ({ text: cleanLine(text), size, below }));
}

/** A place along the direction of writing and across it, so that turned text is text as well. */
interface Place {
  angle: number;
  start: number;
  end: number;
  across: number;
  size: number;
}

function placeOf([a = 1, b = 0, c = 0, d = 1, x = 0, y = 0]: number[], width: number): Place {
  const angle = Math.atan2(b, a);
  const start = x * Math.cos(angle) + y * Math.sin(angle);
  const across = y * Math.cos(angle) - x * Math.sin(angle);
  return { angle, start, end: start + width, across, size: Math.hypot(c, d) || 1 };
}

const isSameLine = (line: Place, place: Place): boolean =>
  Math.abs(line.angle - place.angle) < 0.05 &&
  Math.abs(line.across - place.across) < 0.5 * Math.max(line.size, place.size);

/** Between the two, whichever comes first. */
const distance = (line: Place, place: Place): number =>
  Math.max(place.start - line.end, line.start - place.end);

function lowering(line: Place, place: Place): number | undefined {
  if (Math.abs(line.angle - place.angle) >= 0.05) return undefined;
  const fall = (line.across - place.across) / Math.max(line.size, place.size);
  return fall > 0 ? fall : undefined;
}

/** Han and kana are written without spaces; those that a page shows come from how it is set. */
const cleanLine = (text: string): string =>
  text
    .replace(/\s+/g, " ")
    .replace(/(?<=[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]) (?=[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}])/gu, "")
    .trim();

/**
 * Lines as paragraphs: an empty line goes where there is more room than between most lines, where
 * letters become larger or smaller, and where the page goes on elsewhere.
 */
export function paragraphsOf(lines: readonly PageLine[]): string[] {
  const falls = lines.flatMap(({ below }) => (below === undefined ? [] : [below]));
  const median = falls.sort((a, b) => a - b)[Math.floor((falls.length - 1) / 2)] ?? 1;
  // Even what is written with double space is a text, and not many paragraphs of one line.
  const roomy = Math.max(1.3 * Math.min(median, 2.4), 1.5);
  const out: string[] = [];
  let before: PageLine | undefined;
  for (const line of lines) {
    const isNew =
      before !== undefined &&
      (line.below === undefined || line.below > roomy || isOtherSize(before.size, line.size));
    const text = isNew ? line.text : afterHyphen(out, line.text);
    if (isNew) out.push("");
    if (text !== "") out.push(text);
    before = line;
  }
  return out;
}

const isOtherSize = (one: number, other: number): boolean =>
  Math.max(one, other) > 1.2 * Math.min(one, other);

/** A word that was parted at the end of a line is whole again there; what follows it is given back. */
function afterHyphen(out: string[], text: string): string {
  const parted = /^(.*\p{L})[-\u00ad\u2010]$/u.exec(out.at(-1) ?? "");
  const rest = /^(\p{Ll}\S*)\s*(.*)$/u.exec(text);
  if (!parted || !rest) return text;
  out[out.length - 1] = `${parted[1]}${rest[1]}`;
  return rest[2] ?? "";
}
