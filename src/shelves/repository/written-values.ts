import { longestRun } from "../../text/longest-run.ts";

/**
 * Values as they stand in generated files. A string in the form of JSON is the same string in YAML,
 * TOML and JavaScript once it holds no control characters, so there is one way to write them all.
 */
export const quoted = (value: string): string => JSON.stringify(oneLine(value));

/** A text of one line: whatever a terminal or a parser might act on becomes a space. */
export const oneLine = (value: string): string =>
  value
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\ufeff\ufffe\uffff]+/gu, " ")
    .replace(/ {2,}/g, " ")
    .trim();

/** A name that package managers take: `My Project!` → `my-project`. */
export function packageName(value: string): string {
  const name = value
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 100);
  return name === "" ? "docs" : name;
}

/** JSON as people write it. */
export const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Words of a repository as plain text, whatever Markdown or a template would make of them. */
export const escaped = (words: string): string =>
  oneLine(words)
    .slice(0, 500)
    .replace(/[\\`*_[\]<>#|~$]/g, "\\$&")
    // A backslash would not keep a template from reading a brace.
    .replaceAll("{", "&#123;")
    .replaceAll("}", "&#125;");

/** A name as it is written in the code; templates would read doubled braces even there. */
export function inCode(words: string): string {
  const text = oneLine(words)
    .slice(0, 500)
    .replace(/\{(?=[{%#])/g, "{ ")
    .replace(/(?<=[}%#])\}/g, " }");
  const fence = "`".repeat(longestRun(text, "`") + 1);
  const isTouching = text.startsWith("`") || text.endsWith("`");
  return isTouching ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`;
}
