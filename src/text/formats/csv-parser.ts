/**
 * Parses CSV. Quoted cells may contain line breaks and doubled quotes. The delimiter is the comma,
 * semicolon or tab, whichever is most frequent in the first line.
 */
export function parseCsv(text: string): string[][] {
  const body = text.replace(/^\uFEFF/, "");
  const delimiter = detectDelimiter(body.slice(0, /[\r\n]/.exec(body)?.index ?? body.length));
  const rows: string[][] = [[]];
  for (let at = 0; at < body.length; ) {
    const { cell, end } = body[at] === '"' ? quotedAt(body, at) : { cell: "", end: at };
    const rest = endOfCell(body, end, delimiter);
    rows.at(-1)?.push(cell + body.slice(end, rest));
    if (body[rest] !== delimiter) rows.push([]);
    at = rest + (body.startsWith("\r\n", rest) ? 2 : 1);
  }
  return rows.filter((cells) => cells.some((cell) => cell.trim() !== ""));
}

function detectDelimiter(line: string): string {
  const counts = [",", ";", "\t"].map((mark) => ({ mark, count: line.split(mark).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).mark;
}

/** The content and end of a quoted cell. An unclosed quote extends to the end of the text. */
function quotedAt(body: string, start: number): { cell: string; end: number } {
  const pieces: string[] = [];
  for (let at = start + 1; ; ) {
    const quote = body.indexOf('"', at);
    if (quote < 0) return { cell: pieces.join("") + body.slice(at), end: body.length };
    pieces.push(body.slice(at, quote));
    if (body[quote + 1] !== '"') return { cell: pieces.join(""), end: quote + 1 };
    pieces.push('"');
    at = quote + 2;
  }
}

function endOfCell(body: string, start: number, delimiter: string): number {
  let at = start;
  while (at < body.length && body[at] !== delimiter && body[at] !== "\r" && body[at] !== "\n") at++;
  return at;
}
