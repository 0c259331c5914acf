/**
 * The cells of a CSV text. A cell in quotes may hold line ends and quotes, which are doubled there.
 * Whichever of comma, semicolon and tab stands most often in the first line parts the cells.
 */
export function csvRows(text: string): string[][] {
  const body = text.replace(/^\uFEFF/, "");
  const parting = partingOf(body.slice(0, /[\r\n]/.exec(body)?.index ?? body.length));
  const rows: string[][] = [[]];
  for (let at = 0; at < body.length; ) {
    const { cell, end } = body[at] === '"' ? quotedAt(body, at) : { cell: "", end: at };
    const rest = endOfCell(body, end, parting);
    rows.at(-1)?.push(cell + body.slice(end, rest));
    if (body[rest] !== parting) rows.push([]);
    at = rest + (body.startsWith("\r\n", rest) ? 2 : 1);
  }
  return rows.filter((cells) => cells.some((cell) => cell.trim() !== ""));
}

function partingOf(line: string): string {
  const counts = [",", ";", "\t"].map((mark) => ({ mark, count: line.split(mark).length }));
  return counts.reduce((best, one) => (one.count > best.count ? one : best)).mark;
}

/** What stands in quotes, and where it ends; a text that never closes them is taken to its end. */
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

function endOfCell(body: string, start: number, parting: string): number {
  let at = start;
  while (at < body.length && body[at] !== parting && body[at] !== "\r" && body[at] !== "\n") at++;
  return at;
}
