import { printJson } from "./json.ts";
import { isFields, isNumeral, sameValue, type Value } from "./value.ts";
import { readYaml } from "./yaml.ts";
import { readPlain } from "./yaml-scalars.ts";

/** A value as YAML: in lines where `readYaml` gives it back, and otherwise as JSON, which is YAML. */
export function printYaml(value: Value): string {
  if (typeof value === "string" && readYaml(value) === value) return value;
  const lines = linesFor(value).join("\n");
  return sameValue(readYaml(lines), value) ? lines : printJson(value);
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
  if (typeof value !== "string") return [isNumeral(value) ? value.spelled : printJson(value)];
  if (isPlain(value)) return [value];
  return isBlockText(value) ? ["|-", ...value.split("\n")] : [JSON.stringify(value)];
}

const indented = (line: string): string => (line === "" ? "" : `  ${line}`);

/** Whether a text means itself where it stands without quotes. */
function isPlain(text: string): boolean {
  if (text === "" || text !== text.trim() || /[\r\n]| #/.test(text)) return false;
  try {
    return readPlain(text) === text;
  } catch {
    return false;
  }
}

const isBlockText = (text: string): boolean =>
  text.includes("\n") && /^\S/.test(text) && /\S$/.test(text) && !/^[ \t]+$/m.test(text);
