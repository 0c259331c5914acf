/**
 * The number of lines that front matter takes at the top of a document: 0 where there is none.
 *
 * ```
 * ---            ← must be the very first line
 * title: Plan
 * ---            ← or `...`; without it there is no front matter at all
 * ```
 */
export function frontmatterLength(lines: readonly string[]): number {
  if (lines[0]?.trimEnd() !== "---") return 0;
  const end = lines.findIndex((line, index) => index > 0 && /^(---|\.\.\.)\s*$/.test(line));
  return end + 1;
}

/** One value of the front matter. A list has one fact for each of its items. */
export interface Fact {
  /** `status`, or `author.name` for a value inside another. */
  key: string;
  value: string;
}

/** More than anybody writes; a file that holds more is data, not a document. */
const mostFacts = 500;
const longestKey = 200;
const longestValue = 1_000;

/**
 * What the front matter says, as far as a filter can use it: words and numbers, lists of them, and
 * values inside values. It is read by lines, because a parser would take as long as all the rest
 * of the indexing; texts over several lines, anchors and tags are left out.
 */
export function factsOf(lines: readonly string[]): Fact[] {
  const facts: Fact[] = [];
  const above: { indent: number; key: string }[] = [];
  let skipDeeperThan: number | undefined;
  for (const line of lines.slice(1, Math.max(frontmatterLength(lines) - 1, 1))) {
    const trimmed = line.trimStart();
    const dash = trimmed.startsWith("- ");
    const rest = dash ? trimmed.slice(2).trimStart() : trimmed;
    if (rest === "" || rest.startsWith("#") || facts.length >= mostFacts) continue;
    const indent = line.length - trimmed.length + (dash ? 1 : 0);
    if (skipDeeperThan !== undefined && indent > skipDeeperThan) continue;
    skipDeeperThan = undefined;
    while ((above.at(-1)?.indent ?? -1) >= indent) above.pop();
    const prefix = above.at(-1)?.key ?? "";
    const colon = /^['"[\]{}]/.test(rest) ? -1 : rest.search(/:(?:\s|$)/);
    if (colon < 1) {
      if (dash && prefix !== "") add(prefix, rest);
      continue;
    }
    const name = rest.slice(0, colon).trimEnd();
    const value = rest.slice(colon + 1).trim();
    const key = prefix === "" ? name : `${prefix}.${name}`;
    if (value === "" || value.startsWith("#")) {
      above.push({ indent, key });
    } else if (/^[|>]/.test(value)) skipDeeperThan = indent;
    else add(key, value);
  }
  return facts.slice(0, mostFacts);

  function add(key: string, written: string): void {
    if (key.length <= longestKey) for (const fact of valuesOf(key, written)) facts.push(fact);
  }
}

/** The `title` of the front matter, when it stands on its own line. */
export const frontmatterTitle = (facts: readonly Fact[]): string | undefined =>
  facts.find(({ key, value }) => key === "title" && value !== "")?.value;

function valuesOf(key: string, written: string): Fact[] {
  const text = written.trim();
  if (/^[&*!{]/.test(text)) return [];
  const isList = text.startsWith("[") && text.includes("]");
  const list = text.slice(1, text.lastIndexOf("]"));
  const items = isList ? (list.match(listItem) ?? []) : [text];
  return items.map((item) => ({ key, value: plain(item) })).filter(({ value }) => value !== "");
}

const listItem = /\s*"(?:[^"\\]|\\.)*"|\s*'(?:[^']|'')*'|[^,]+/g;

/** A word without its quotes and what they made necessary, or without the comment behind it. */
function plain(written: string): string {
  const text = written.trim();
  const quote = text[0] === '"' || text[0] === "'" ? text[0] : undefined;
  const end = quote ? text.lastIndexOf(quote) : text.search(/\s#/);
  const value = end > 0 ? text.slice(quote ? 1 : 0, end) : text;
  const read = quote === "'" ? value.replaceAll("''", "'") : value;
  return (quote === '"' ? read.replace(/\\(["\\/])/g, "$1") : read).trim().slice(0, longestValue);
}
