import { elementAt } from "../../../text/arrays/element-at.ts";
import { escapeXml } from "../../../text/formats/xml-escape.ts";
import { frontmatterLength } from "../../../text/markdown/frontmatter.ts";
import { fenceMarker } from "../../../text/markdown/headings.ts";
import { splitLines } from "../../../text/strings/lines.ts";
import { toPrintable } from "../../../text/strings/printable.ts";

/** The href of a link on the site; undefined if it is shown as text. */
export type ResolveHref = (destination: string) => string | undefined;

/**
 * Renders the body of a record as HTML: headings, lists, quotes, code, tables as preformatted text,
 * and paragraphs. HTML in the record is escaped.
 */
export function renderRecordHtml(text: string, href: ResolveHref): string {
  const allLines = splitLines(text.replace(/^\uFEFF/, ""));
  const lines = allLines.slice(frontmatterLength(allLines));
  const parts: string[] = [];
  let paragraph: string[] = [];
  const close = () => {
    if (paragraph.length > 0) parts.push(renderBlock(paragraph, href));
    paragraph = [];
  };
  for (let index = 0; index < lines.length; index++) {
    const line = elementAt(lines, index);
    const fence = fenceMarker(line);
    const heading = /^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$/.exec(
      line.slice(0, maxHeadingLength),
    );
    if (fence) {
      close();
      let end = index + 1;
      while (end < lines.length && !lines[end]?.trimStart().startsWith(fence)) end++;
      const code = lines
        .slice(index + 1, end)
        .map(visibleLines)
        .join("\n");
      parts.push(`<pre><code>${escapeXml(code)}</code></pre>`);
      index = end;
    } else if (heading) {
      close();
      const level = heading[1]?.length ?? 2;
      parts.push(`<h${level}>${renderInline(heading[2] ?? "", href)}</h${level}>`);
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

const maxHeadingLength = 10_000;

const isList = ([first = ""]: readonly string[]): boolean =>
  /^\s*([-*+]|\d{1,9}[.)])\s/.test(first);

function renderBlock(lines: readonly string[], href: ResolveHref): string {
  const [first = ""] = lines;
  if (isList(lines)) return renderList(lines, href);
  if (first.trimStart().startsWith("|"))
    return `<pre>${escapeXml(lines.map(visibleLines).join("\n"))}</pre>`;
  if (/^\s*>/.test(first)) {
    const inner = lines.map((line) => line.replace(/^\s*>\s?/, "")).join("\n");
    return `<blockquote><p>${renderInline(inner, href)}</p></blockquote>`;
  }
  return `<p>${renderInline(lines.join("\n"), href)}</p>`;
}

/** Nested items are flattened into one list in their order. */
function renderList(lines: readonly string[], href: ResolveHref): string {
  const items: string[] = [];
  for (const line of lines) {
    const item = /^\s*(?:[-*+]|\d{1,9}[.)])\s+(.*)$/s.exec(line);
    if (item) items.push(item[1] ?? "");
    else items.push(`${items.pop() ?? ""}\n${line.trim()}`);
  }
  const tag = /^\s*\d/.test(lines[0] ?? "") ? "ol" : "ul";
  return `<${tag}>${items.map((item) => `<li>${renderInline(item, href)}</li>`).join("")}</${tag}>`;
}

const inlinePattern =
  /`([^`\n]{1,500})`|\[([^\][]{1,300})\]\(<?([^()\s<>]{1,1000})>?(?:\s[^()]{0,300})?\)|\*\*([^*\n]{1,500})\*\*/g;

/** Renders code, links and bold text; everything else is escaped. */
function renderInline(text: string, href: ResolveHref): string {
  let html = "";
  let position = 0;
  for (const match of text.matchAll(inlinePattern)) {
    const [whole, code, label, target, strong] = match;
    html += escapeXml(visibleLines(text.slice(position, match.index)));
    position = match.index + whole.length;
    if (code !== undefined) html += `<code>${escapeXml(visibleLines(code))}</code>`;
    else if (strong !== undefined) html += `<strong>${escapeXml(visibleLines(strong))}</strong>`;
    else {
      const resolved = href(target ?? "");
      const labelHtml = escapeXml(visibleLines(label ?? ""));
      html +=
        resolved === undefined ? labelHtml : `<a href="${escapeXml(resolved)}">${labelHtml}</a>`;
    }
  }
  return html + escapeXml(visibleLines(text.slice(position)));
}

/** Removes invisible characters but preserves spaces and line ends. */
const visibleLines = (text: string): string =>
  text
    .split("\n")
    .map((line) => (/[\p{Cc}\p{Cf}\u2028\u2029]/u.test(line) ? toPrintable(line) : line))
    .join("\n");
