import { linesOf } from "./lines.ts";

/**
 * A text of Org mode as Markdown. Every line stays on its line, so that a place in one is the same
 * place in the other; what Markdown has no words for leaves an empty line.
 */
export function orgToMarkdown(text: string): string {
  const lines = linesOf(text);
  const hidden = drawerLines(lines);
  const lastEnds = new Map(lines.map((line, index) => [endOf(line), index]));
  let block: Block | undefined;
  return lines
    .map((line, index) => {
      if (block) {
        if (endOf(line) !== block.name) return block.write(line);
        const { last } = block;
        block = undefined;
        return last;
      }
      if (hidden.has(index)) return "";
      const begun = /^\s*#\+begin_(\w+)(?:[ \t]+(\S+))?/i.exec(line);
      if (!begun) return writeLine(line);
      const name = begun[1]?.toLowerCase() ?? "";
      // One that is never closed would swallow the rest.
      if ((lastEnds.get(name) ?? -1) < index) return "";
      block = blockOf(name, begun[2] ?? "");
      return block.first;
    })
    .join("\n");
}

/** Everything between `#+begin_x` and `#+end_x`, and what becomes of these two lines. */
interface Block {
  name: string;
  first: string;
  last: string;
  write(line: string): string;
}

function blockOf(name: string, language: string): Block {
  const plain = { name, first: "", last: "" };
  if (name === "comment") return { ...plain, write: () => "" };
  if (name === "quote" || name === "verse") {
    return { ...plain, write: (line) => `> ${writeWords(line)}`.trimEnd() };
  }
  const isCode = ["src", "example", "export"].includes(name);
  if (!isCode) return { ...plain, write: writeLine };
  const word = name === "src" && /^[\w+#-]+$/.test(language) ? language : "";
  // A comma keeps Org from reading a line of code as its own; it is no part of the code.
  const write = (line: string) => line.replace(/^(\s*),(?=\*|#\+|,)/, "$1");
  return { name, first: `${fence}${word}`, last: fence, write };
}

/** Longer than the fences that a text of Org about Markdown shows. */
const fence = "````";

/** The name of the block that a line ends. */
const endOf = (line: string): string | undefined =>
  /^\s*#\+end_(\w+)\s*$/i.exec(line)?.[1]?.toLowerCase();

/** Drawers hold what programs keep for themselves. One that is never closed is text. */
function drawerLines(lines: readonly string[]): Set<number> {
  const hidden = new Set<number>();
  let start: number | undefined;
  for (const [index, line] of lines.entries()) {
    const name = /^\s*:([\w-]+):\s*$/.exec(line)?.[1]?.toLowerCase();
    if (/^\*+\s/.test(line)) start = undefined;
    else if (name === "end") {
      for (let at = start ?? index + 1; at <= index; at++) hidden.add(at);
      start = undefined;
    } else if (name !== undefined) start ??= index;
  }
  return hidden;
}

/** Settings that say something to a reader; the others speak to a program. */
const spoken = new Set([
  "subtitle",
  "author",
  "date",
  "description",
  "keywords",
  "filetags",
  "caption",
]);

function writeLine(line: string): string {
  const headline = /^(\*+)[ \t]+(\S.*)$/s.exec(line);
  if (headline) {
    const depth = Math.min(headline[1]?.length ?? 1, 6);
    return `${"#".repeat(depth)} ${writeWords(headline[2] ?? "")
      .replace(/[ \t]+/g, " ")
      .trim()}`;
  }
  const setting = /^\s*#\+(\w+):(.*)$/s.exec(line);
  if (setting) {
    const name = setting[1]?.toLowerCase() ?? "";
    const value = setting[2]?.trim() ?? "";
    if (name === "title") return value === "" ? "" : `# ${value}`;
    return spoken.has(name) ? writeWords(value) : "";
  }
  if (/^\s*#(\s|\+|$)/.test(line)) return "";
  if (/^\s*: /.test(line)) return `    ${line.trimStart().slice(2)}`;
  if (/^\s*\|-[-+|]*\s*$/.test(line)) return line.replaceAll("+", "|");
  return writeWords(line);
}

/** Links, and words set as code. Other marks read in Org as they do in Markdown. */
function writeWords(line: string): string {
  return line
    .replace(/\[\[([^[\]]+)\]\[([^[\]]+)\]\]/g, "[$2]($1)")
    .replace(/\[\[([^[\]]+)\]\]/g, "$1")
    .replace(/(^|[\s('"{-])([=~])(\S(?:[^=~]*[^\s=~])?)\2(?=$|[\s)'"}.,;:!?-])/g, "$1`$3`");
}
