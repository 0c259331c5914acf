import { frontmatterLength } from "./frontmatter.ts";

/**
 * Sets values inside one block of the front matter, and makes the block, or all of the front matter,
 * where it is not there yet. Every other line, and every line end, stays as it is.
 *
 * ```
 * ---
 * title: Plan
 * documcp:                    ← the block
 *   last_updated: "2026-…"    ← its values
 * ---
 * ```
 * Undefined where the block is written in another form, or the front matter is no YAML.
 */
export function withBlock(
  text: string,
  block: string,
  values: Readonly<Record<string, string | boolean>>,
): string | undefined {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const body = text.slice(mark.length);
  const end = /\r\n|\n|\r/.exec(body)?.[0] ?? "\n";
  const lines = body.split(end);
  if (/^(\+\+\+|;;;|\{)\s*$/.test(lines[0] ?? "")) return undefined;
  const length = frontmatterLength(lines);
  if (length === 0) {
    // A first line of dashes that nothing closes is a rule, and would be read as front matter.
    if (/^---\s*$/.test(lines[0] ?? "")) return undefined;
    return mark + ["---", ...blockLines(block, values), "---", "", body].join(end);
  }
  const set = settingIn(lines.slice(1, length - 1), block, values);
  if (!set) return undefined;
  return mark + [lines[0], ...set, ...lines.slice(length - 1)].join(end);
}

const blockLines = (
  block: string,
  values: Readonly<Record<string, string | boolean>>,
): string[] => [
  `${block}:`,
  ...Object.entries(values).map(([key, value]) => `  ${key}: ${JSON.stringify(value)}`),
];

function settingIn(
  matter: readonly string[],
  block: string,
  values: Readonly<Record<string, string | boolean>>,
): string[] | undefined {
  const at = matter.findIndex((line) => line.startsWith(`${block}:`));
  if (at < 0) return [...matter, ...blockLines(block, values)];
  if (!/^[^:]+:\s*(#.*)?$/.test(matter[at] ?? "")) return undefined;
  const after = matter.slice(at + 1);
  const size = after.findIndex((line) => !/^(\s|$)/.test(line));
  const inside = size < 0 ? after : after.slice(0, size);
  const indent = /^[ ]+/.exec(inside.find((line) => line.trim() !== "") ?? "")?.[0] ?? "  ";
  const left = new Map(Object.entries(values));
  const kept = inside.map((line) => {
    const key = line.startsWith(indent)
      ? /^([\w-]+):/.exec(line.slice(indent.length))?.[1]
      : undefined;
    const value = key === undefined ? undefined : left.get(key);
    if (key === undefined || value === undefined) return line;
    left.delete(key);
    return `${indent}${key}: ${JSON.stringify(value)}`;
  });
  const added = [...left].map(([key, value]) => `${indent}${key}: ${JSON.stringify(value)}`);
  return [...matter.slice(0, at + 1), ...added, ...kept, ...after.slice(inside.length)];
}
