/**
 * The number of lines of front matter at the top of a document; 0 if there is none.
 *
 * ```
 * ---            ← must be the very first line
 * title: Plan
 * ---            ← or `...`; without it there is no front matter
 * ```
 */
export function frontmatterLength(lines: readonly string[]): number {
  if (lines[0]?.trimEnd() !== "---") return 0;
  const end = lines.findIndex((line, index) => index > 0 && /^(---|\.\.\.)\s*$/.test(line));
  return end + 1;
}

/** One value of the front matter. A list has one fact per item. */
export interface FrontmatterFact {
  /** `status`, or `author.name` for a nested value. */
  key: string;
  value: string;
}

/** Files with more are data, not documents. */
const maxFacts = 500;
const maxKeyLength = 200;
const maxValueLength = 1_000;

/**
 * The front matter values that a filter can use: scalars, lists and nested maps. Scans lines,
 * because a full YAML parser would double the indexing time. Skips block scalars, anchors and tags.
 */
export function frontmatterFacts(lines: readonly string[]): FrontmatterFact[] {
  const facts: FrontmatterFact[] = [];
  const parents: { indent: number; key: string }[] = [];
  let skipDeeperThan: number | undefined;
  for (const line of lines.slice(1, Math.max(frontmatterLength(lines) - 1, 1))) {
    const trimmed = line.trimStart();
    const dash = trimmed.startsWith("- ");
    const rest = dash ? trimmed.slice(2).trimStart() : trimmed;
    if (rest === "" || rest.startsWith("#") || facts.length >= maxFacts) continue;
    const indent = line.length - trimmed.length + (dash ? 1 : 0);
    if (skipDeeperThan !== undefined && indent > skipDeeperThan) continue;
    skipDeeperThan = undefined;
    while ((parents.at(-1)?.indent ?? -1) >= indent) parents.pop();
    const prefix = parents.at(-1)?.key ?? "";
    const colon = /^['"[\]{}]/.test(rest) ? -1 : rest.search(/:(?:\s|$)/);
    if (colon < 1) {
      if (dash && prefix !== "") add(prefix, rest);
      continue;
    }
    const name = rest.slice(0, colon).trimEnd();
    const value = rest.slice(colon + 1).trim();
    const key = prefix === "" ? name : `${prefix}.${name}`;
    if (value === "" || value.startsWith("#")) {
      parents.push({ indent, key });
    } else if (/^[|>]/.test(value)) skipDeeperThan = indent;
    else add(key, value);
  }
  return facts.slice(0, maxFacts);

  function add(key: string, source: string): void {
    if (key.length <= maxKeyLength) for (const fact of valuesOf(key, source)) facts.push(fact);
  }
}

/** The `title` of the front matter. */
export const frontmatterTitle = (facts: readonly FrontmatterFact[]): string | undefined =>
  facts.find(({ key, value }) => key === "title" && value !== "")?.value;

function valuesOf(key: string, source: string): FrontmatterFact[] {
  const text = source.trim();
  if (/^[&*!{]/.test(text)) return [];
  const isList = text.startsWith("[") && text.includes("]");
  const list = text.slice(1, text.lastIndexOf("]"));
  const items = isList ? (list.match(listItem) ?? []) : [text];
  return items
    .map((item) => ({ key, value: plainValue(item) }))
    .filter(({ value }) => value !== "");
}

const listItem = /\s*"(?:[^"\\]|\\.)*"|\s*'(?:[^']|'')*'|[^,]+/g;

/** Removes quotes and their escapes, or a trailing comment. */
function plainValue(source: string): string {
  const text = source.trim();
  const quote = text[0] === '"' || text[0] === "'" ? text[0] : undefined;
  const end = quote ? text.lastIndexOf(quote) : text.search(/\s#/);
  const value = end > 0 ? text.slice(quote ? 1 : 0, end) : text;
  const unescaped = quote === "'" ? value.replaceAll("''", "'") : value;
  return (quote === '"' ? unescaped.replace(/\\(["\\/])/g, "$1") : unescaped)
    .trim()
    .slice(0, maxValueLength);
}
