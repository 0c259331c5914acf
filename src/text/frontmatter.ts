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

/** The `title` of the front matter, when it is a plain or quoted word on its own line. */
export function frontmatterTitle(lines: readonly string[]): string | undefined {
  for (const line of lines.slice(1, Math.max(frontmatterLength(lines) - 1, 1))) {
    if (!/^title:\s/.test(line)) continue;
    const value = line.slice("title:".length).trim();
    if (value === "") continue;
    const quoted = /^"(.*)"$|^'(.*)'$/.exec(value);
    const title = (quoted?.[1] ?? quoted?.[2] ?? value).trim();
    // A block scalar, an alias or a flow collection is not a title on its own line.
    if (quoted || !/^[|>&*[{]/.test(title)) return title || undefined;
  }
  return undefined;
}
