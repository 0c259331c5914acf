import { frontmatterLength } from "../../text/frontmatter.ts";
import { fenceMark } from "../../text/headings.ts";
import { linesOf } from "../../text/lines.ts";
import { inMarkup } from "../../text/markup.ts";
import { visible } from "../../text/visible.ts";

/** Where a link of a record leads on the site; undefined for what is not shown as a link. */
export type Href = (written: string) => string | undefined;

/**
 * The body of a record as HTML: headings, lists, quotes, code, tables as they are written, and
 * paragraphs. What is HTML in it is shown as text.
 */
export function bodyHtml(text: string, href: Href): string {
  const written = linesOf(text.replace(/^\uFEFF/, ""));
  const lines = written.slice(frontmatterLength(written));
  const parts: string[] = [];
  let paragraph: string[] = [];
  const close = () => {
    if (paragraph.length > 0) parts.push(blockHtml(paragraph, href));
    paragraph = [];
  };
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? "";
    const mark = fenceMark(line);
    const heading = /^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$/.exec(line.slice(0, longestLine));
    if (mark) {
      close();
      let last = index + 1;
      while (last < lines.length && !lines[last]?.trimStart().startsWith(mark)) last++;
      const code = lines
        .slice(index + 1, last)
        .map(plain)
        .join("\n");
      parts.push(`<pre><code>${inMarkup(code)}</code></pre>`);
      index = last;
    } else if (heading) {
      close();
      const level = heading[1]?.length ?? 2;
      parts.push(`<h${level}>${inline(heading[2] ?? "", href)}</h${level}>`);
    } else if (line.trim() === "") close();
    else {
      const isItem = /^\s*([-*+]|\d{1,9}[.)])\s/.test(line);
      if (isItem && !isList(paragraph)) close();
      paragraph.push(line);
    }
  }
  close();
  return parts.join("\n");
}

const longestLine = 10_000;

const isList = ([first = ""]: readonly string[]): boolean =>
  /^\s*([-*+]|\d{1,9}[.)])\s/.test(first);

function blockHtml(lines: readonly string[], href: Href): string {
  const [first = ""] = lines;
  if (isList(lines)) return listHtml(lines, href);
  if (first.trimStart().startsWith("|"))
    return `<pre>${inMarkup(lines.map(plain).join("\n"))}</pre>`;
  if (/^\s*>/.test(first)) {
    const inner = lines.map((line) => line.replace(/^\s*>\s?/, "")).join("\n");
    return `<blockquote><p>${inline(inner, href)}</p></blockquote>`;
  }
  return `<p>${inline(lines.join("\n"), href)}</p>`;
}

/** Items that stand further in are items like the others; the order is what tells. */
function listHtml(lines: readonly string[], href: Href): string {
  const items: string[] = [];
  for (const line of lines) {
    const item = /^\s*(?:[-*+]|\d{1,9}[.)])\s+(.*)$/s.exec(line);
    if (item) items.push(item[1] ?? "");
    else items.push(`${items.pop() ?? ""}\n${line.trim()}`);
  }
  const tag = /^\s*\d/.test(lines[0] ?? "") ? "ol" : "ul";
  return `<${tag}>${items.map((item) => `<li>${inline(item, href)}</li>`).join("")}</${tag}>`;
}

const pieces =
  /`([^`\n]{1,500})`|\[([^\][]{1,300})\]\(<?([^()\s<>]{1,1000})>?(?:\s[^()]{0,300})?\)|\*\*([^*\n]{1,500})\*\*/g;

/** Code, links and strong words; all else is shown as it was written. */
function inline(text: string, href: Href): string {
  let html = "";
  let from = 0;
  for (const match of text.matchAll(pieces)) {
    const [whole, code, label, target, strong] = match;
    html += inMarkup(plain(text.slice(from, match.index)));
    from = match.index + whole.length;
    if (code !== undefined) html += `<code>${inMarkup(plain(code))}</code>`;
    else if (strong !== undefined) html += `<strong>${inMarkup(plain(strong))}</strong>`;
    else {
      const leads = href(target ?? "");
      const words = inMarkup(plain(label ?? ""));
      html += leads === undefined ? words : `<a href="${inMarkup(leads)}">${words}</a>`;
    }
  }
  return html + inMarkup(plain(text.slice(from)));
}

/** The text without signs that nobody sees, its own spaces and line ends kept. */
const plain = (text: string): string =>
  text
    .split("\n")
    .map((line) => (/[\p{Cc}\p{Cf}\u2028\u2029]/u.test(line) ? visible(line) : line))
    .join("\n");
