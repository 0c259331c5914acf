/** A text as its lines with their own ends, so that what is not touched stays byte for byte. */
export interface WrittenLines {
  /** The lines without their ends; the byte order mark is not part of the first. */
  readonly lines: readonly string[];
  /** The text with a line in place of another. */
  replace(line: number, words: string): string;
  /** The text with lines put in behind the one of this number; 0 is the start. */
  insert(after: number, words: readonly string[]): string;
  /** The text with the lines from `from` to `to` taken out and others put in their place. */
  splice(from: number, to: number, words: readonly string[]): string;
}

/** Lines are counted from one. New lines end as the text's first line does. */
export function writtenLines(text: string): WrittenLines {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const parts = text.slice(mark.length).split(/(\r\n|\n|\r)/);
  const lines = parts.filter((_, index) => index % 2 === 0);
  const ends = parts.filter((_, index) => index % 2 === 1);
  const usual = ends[0] ?? "\n";

  function splice(from: number, to: number, words: readonly string[]): string {
    const before = lines.slice(0, from - 1).map((line, index) => line + (ends[index] ?? usual));
    const after = lines.slice(to).map((line, index) => line + (ends[to + index] ?? ""));
    const isLast = to >= lines.length;
    const fresh = words.map((line, index) => {
      const isEnd = isLast && index === words.length - 1;
      return line + (isEnd ? (ends[to - 1] ?? "") : usual);
    });
    return mark + [...before, ...fresh, ...after].join("");
  }

  return {
    lines,
    splice,
    replace(line, words) {
      const kept = lines.map((old, index) => (index === line - 1 ? words : old));
      return mark + kept.map((old, index) => old + (ends[index] ?? "")).join("");
    },
    insert: (after, words) => splice(after + 1, after, words),
  };
}
