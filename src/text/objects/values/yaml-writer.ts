import { formatJson } from "./json.ts";
import { isFields, isNumeral, type Value, valuesEqual } from "./value.ts";
import { parseYamlValue } from "./yaml.ts";
import { parsePlainScalar } from "./yaml-scalars.ts";

/** Writes a value as YAML if `parseYamlValue` returns it unchanged, otherwise as JSON, a subset of YAML. */
export function formatYaml(value: Value): string {
  if (typeof value === "string" && parseYamlValue(value) === value) return value;
  const lines = linesFor(value).join("\n");
  return valuesEqual(parseYamlValue(lines), value) ? lines : formatJson(value);
}

function linesFor(value: Value): string[] {
  if (Array.isArray(value) && value.length > 0) {
    return value.flatMap((item) => {
      const [first = "", ...more] = linesFor(item);
      return [`- ${first}`, ...more.map(indented)];
    });
  }
  if (isFields(value) && value.size > 0) {
    return Array.from(value).flatMap(([key, item]) => {
      const name = isPlain(key) && !/[:#]/.test(key) ? key : JSON.stringify(key);
      const lines = linesFor(item);
      const isNested =
        (Array.isArray(item) && item.length > 0) || (isFields(item) && item.size > 0);
      if (isNested) return [`${name}:`, ...lines.map(indented)];
      return [`${name}: ${lines[0] ?? ""}`, ...lines.slice(1).map(indented)];
    });
  }
  if (typeof value !== "string") return [isNumeral(value) ? value.notation : formatJson(value)];
  if (isPlain(value)) return [value];
  return isBlockText(value) ? ["|-", ...value.split("\n")] : [JSON.stringify(value)];
}

const indented = (line: string): string => (line === "" ? "" : `  ${line}`);

/** Whether a plain scalar would be read as the same text. */
function isPlain(text: string): boolean {
  if (text === "" || text !== text.trim() || /[\r\n]| #/.test(text)) return false;
  try {
    return parsePlainScalar(text) === text;
  } catch {
    return false;
  }
}

const isBlockText = (text: string): boolean =>
  text.includes("\n") && /^\S/.test(text) && /\S$/.test(text) && !/^[ \t]+$/m.test(text);
