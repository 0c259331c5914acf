export interface NumberedLine {
  number: number;
  text: string;
}

/** Reads the form in which the server numbers lines: `12: words`. A line without a number is left out. */
export function numberedLines(text: string): NumberedLine[] {
  return text.split("\n").flatMap((line) => {
    const [, number, words = ""] = /^(\d+): (.*)$/s.exec(line) ?? [];
    return number === undefined ? [] : { number: Number(number), text: words };
  });
}
