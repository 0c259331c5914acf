import { splitLines } from "../strings/lines.ts";

/**
 * Converts Org mode to Markdown line by line, so that line numbers stay the same. Constructs
 * without a Markdown equivalent become empty lines.
 */
export function orgToMarkdown(text: string): string {
  const lines = splitLines(text);
  const hidden = drawerLines(lines);
  const lastEnds = new Map(lines.map((line, index) => [blockEndName(line), index]));
  let block: Block | undefined;
  return lines
    .map((line, index) => {
      if (block) {
        if (blockEndName(line) !== block.name) return block.write(line);
        const { last } = block;
        block = undefined;
        return last;
      }
      if (hidden.has(index)) return "";
      const opening = /^\s*#\+begin_(\w+)(?:[ \t]+(\S+))?/i.exec(line);
      if (!opening) return convertLine(line);
      const name = opening[1]?.toLowerCase() ?? "";
      // An unclosed block would swallow the rest of the text.
      if ((lastEnds.get(name) ?? -1) < index) return "";
      block = createBlock(name, opening[2] ?? "");
      return block.first;
    })
    .join("\n");
}

/** How to convert a block: its `#+begin_x` line, its `#+end_x` line and the lines between. */
interface Block {
  name: string;
  first: string;
  last: string;
  write(line: string): string;
}

function createBlock(name: string, language: string): Block {
  const plain = { name, first: "", last: "" };
  if (name === "comment") return { ...plain, write: () => "" };
  if (name === "quote" || name === "verse") {
    return { ...plain, write: (line) => `> ${convertInline(line)}`.trimEnd() };
  }
  const isCode = ["src", "example", "export"].includes(name);
  if (!isCode) return { ...plain, write: convertLine };
  const info = name === "src" && /^[\w+#-]+$/.test(language) ? language : "";
  // In Org, a leading comma escapes lines of code that look like Org syntax.
  const write = (line: string) => line.replace(/^(\s*),(?=\*|#\+|,)/, "$1");
  return { name, first: `${fence}${info}`, last: fence, write };
}

/** Longer than the fences of Markdown examples in Org texts. */
const fence = "````";

/** The name of the block that a line closes. */
const blockEndName = (line: string): string | undefined =>
  /^\s*#\+end_(\w+)\s*$/i.exec(line)?.[1]?.toLowerCase();

/** Drawers contain metadata for programs and are hidden. An unclosed drawer is text. */
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

/** Keywords (`#+name: value`) that are shown; others are settings for programs. */
const visibleSettings = new Set([
  "subtitle",
  "author",
  "date",
  "description",
  "keywords",
  "filetags",
  "caption",
]);

function convertLine(line: string): string {
  const headline = /^(\*+)[ \t]+(\S.*)$/s.exec(line);
  if (headline) {
    const depth = Math.min(headline[1]?.length ?? 1, 6);
    return `${"#".repeat(depth)} ${convertInline(headline[2] ?? "")
      .replace(/[ \t]+/g, " ")
      .trim()}`;
  }
  const setting = /^\s*#\+(\w+):(.*)$/s.exec(line);
  if (setting) {
    const name = setting[1]?.toLowerCase() ?? "";
    const value = setting[2]?.trim() ?? "";
    if (name === "title") return value === "" ? "" : `# ${value}`;
    return visibleSettings.has(name) ? convertInline(value) : "";
  }
  if (/^\s*#(\s|\+|$)/.test(line)) return "";
  if (/^\s*: /.test(line)) return `    ${line.trimStart().slice(2)}`;
  if (/^\s*\|-[-+|]*\s*$/.test(line)) return line.replaceAll("+", "|");
  return convertInline(line);
}

/** Converts links and inline code. Other inline markup is left as it is. */
function convertInline(line: string): string {
  return line
    .replace(/\[\[([^[\]]+)\]\[([^[\]]+)\]\]/g, "[$2]($1)")
    .replace(/\[\[([^[\]]+)\]\]/g, "$1")
    .replace(/(^|[\s('"{-])([=~])(\S(?:[^=~]*[^\s=~])?)\2(?=$|[\s)'"}.,;:!?-])/g, "$1`$3`");
}
