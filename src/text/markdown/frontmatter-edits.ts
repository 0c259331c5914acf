import { frontmatterLength } from "./frontmatter.ts";

/**
 * Sets values in one block of the front matter. Creates the block and the front matter if they are
 * missing. All other lines and all line endings are preserved.
 *
 * ```
 * ---
 * title: Plan
 * documcp:                    ← the block
 *   last_updated: "2026-…"    ← its values
 * ---
 * ```
 * Undefined if the block has another form, such as an inline map, or the front matter is not YAML.
 */
export function setFrontmatterBlock(
  text: string,
  block: string,
  values: Readonly<Record<string, string | boolean>>,
): string | undefined {
  const byteOrderMark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const body = text.slice(byteOrderMark.length);
  const lineEnd = /\r\n|\n|\r/.exec(body)?.[0] ?? "\n";
  const lines = body.split(lineEnd);
  if (/^(\+\+\+|;;;|\{)\s*$/.test(lines[0] ?? "")) return undefined;
  const length = frontmatterLength(lines);
  if (length === 0) {
    // An unclosed `---` is a thematic break, but a second `---` would turn it into front matter.
    if (/^---\s*$/.test(lines[0] ?? "")) return undefined;
    return byteOrderMark + ["---", ...blockLines(block, values), "---", "", body].join(lineEnd);
  }
  const updated = setBlockValues(lines.slice(1, length - 1), block, values);
  if (!updated) return undefined;
  return byteOrderMark + [lines[0], ...updated, ...lines.slice(length - 1)].join(lineEnd);
}

const blockLines = (
  block: string,
  values: Readonly<Record<string, string | boolean>>,
): string[] => [
  `${block}:`,
  ...Object.entries(values).map(([key, value]) => `  ${key}: ${JSON.stringify(value)}`),
];

function setBlockValues(
  frontmatter: readonly string[],
  block: string,
  values: Readonly<Record<string, string | boolean>>,
): string[] | undefined {
  const at = frontmatter.findIndex((line) => line.startsWith(`${block}:`));
  if (at < 0) return [...frontmatter, ...blockLines(block, values)];
  if (!/^[^:]+:\s*(#.*)?$/.test(frontmatter[at] ?? "")) return undefined;
  const after = frontmatter.slice(at + 1);
  const size = after.findIndex((line) => !/^(\s|$)/.test(line));
  const inside = size < 0 ? after : after.slice(0, size);
  const indent = /^[ ]+/.exec(inside.find((line) => line.trim() !== "") ?? "")?.[0] ?? "  ";
  const missing = new Map(Object.entries(values));
  const updated = inside.map((line) => {
    const key = line.startsWith(indent)
      ? /^([\w-]+):/.exec(line.slice(indent.length))?.[1]
      : undefined;
    const value = key === undefined ? undefined : missing.get(key);
    if (key === undefined || value === undefined) return line;
    missing.delete(key);
    return `${indent}${key}: ${JSON.stringify(value)}`;
  });
  const added = [...missing].map(([key, value]) => `${indent}${key}: ${JSON.stringify(value)}`);
  return [...frontmatter.slice(0, at + 1), ...added, ...updated, ...after.slice(inside.length)];
}
