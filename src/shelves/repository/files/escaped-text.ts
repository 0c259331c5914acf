import { longestRun } from "../../../text/markdown/longest-run.ts";

/**
 * Quotes a string for generated files. A JSON string without control characters is the same string
 * in YAML, TOML and JavaScript, so one function serves all.
 */
export const quoteString = (value: string): string => JSON.stringify(toSingleLine(value));

/** Replaces every control character and line break by a space. */
export const toSingleLine = (value: string): string =>
  value
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\ufeff\ufffe\uffff]+/gu, " ")
    .replace(/ {2,}/g, " ")
    .trim();

/** A valid package name: `My Project!` → `my-project`. */
export function toPackageName(value: string): string {
  const name = value
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 100);
  return name === "" ? "docs" : name;
}

/** Indented JSON. */
export const formatJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Escapes text of a repository for Markdown and for templates. */
export const escapeMarkdown = (text: string): string =>
  toSingleLine(text)
    .slice(0, 500)
    .replace(/[\\`*_[\]<>#|~$]/g, "\\$&")
    // Templates ignore a backslash before a brace.
    .replaceAll("{", "&#123;")
    .replaceAll("}", "&#125;");

/** Inline code. Doubled braces are split because templates read them even in code. */
export function toInlineCode(value: string): string {
  const text = toSingleLine(value)
    .slice(0, 500)
    .replace(/\{(?=[{%#])/g, "{ ")
    .replace(/(?<=[}%#])\}/g, " }");
  const fence = "`".repeat(longestRun(text, "`") + 1);
  const needsPadding = text.startsWith("`") || text.endsWith("`");
  return needsPadding ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`;
}
