import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type DetailLevel, parseObjects, withDetail } from "./parse-objects.ts";
import { readObjectHeadings } from "./parsing/object-headings.ts";
import { scanSource } from "./parsing/source.ts";
import { formatJson, parseJsonValue } from "./values/json.ts";
import { type Value, valuesEqual } from "./values/value.ts";
import { writeObjects } from "./writing/write-objects.ts";

/** The public test cases of the format, if this clone has them. */
const shared = new URL("../../../../shared/data/qmdc/parser/", import.meta.url);

const own = `# Shop [[shop: Shop]]

Sells things.

- name: Corner
- rating: 4.0

## Opening Hours [[opening_hours: array]]

- nine to five
- closed on Sundays

## Staff [[staff: [Person]]]

### Ada [[ada]]

- role: owner
`;

const isShared = existsSync(shared);
const read = (name: string): string => readFileSync(new URL(name, shared), "utf8");
const inputs = isShared
  ? readdirSync(shared).filter((name) => name.endsWith(".qmd.md"))
  : ["our own case"];
const textOf = (name: string): string => (isShared ? read(name) : own);
const results = isShared ? readdirSync(shared).filter((name) => name.endsWith(".json")) : [];

const listIn = (text: string): Value[] => {
  const value = parseJsonValue(text);
  if (!Array.isArray(value)) throw new Error("No list");
  return value;
};

/** The text without the parts that a rebuild may change. */
function contentOf(text: string): string {
  return text
    .replace(/<!--[\s\S]*?-->/g, "")
    .replace(/\[\[(?:[^[\]]|\[[^\]]*\])*\]\]/g, "")
    .replace(/^[ \t]*\|[ \t:|-]+$/gm, (rule) => rule.replace(/[^|]/g, ""))
    .replace(/^#+/gm, "")
    .replace(/["\s]+/g, "");
}

const levelsOf = (text: string): number[] =>
  readObjectHeadings(scanSource(text)).map(({ level }) => level);

describe(`with ${isShared ? `${inputs.length} shared cases` : "our own case alone"}`, () => {
  test.each(results)("[objects.format.corpus] %s", (name) => {
    const format: DetailLevel =
      (["full", "minimal"] as const).find((word) => name.includes(`.${word}.`)) ?? "standard";
    const objects = withDetail(parseObjects(read(name.replace(/\.expected.*/, ".qmd.md"))), format);
    const expected = parseJsonValue(read(name));

    expect(valuesEqual(objects, expected) || formatJson(objects)).toBe(
      valuesEqual(objects, expected) || formatJson(expected),
    );
  });

  test.each(inputs)("[objects.format.round-trip] %s is unchanged when written again", (name) => {
    const text = textOf(name);
    const objects = withDetail(parseObjects(text), "standard");
    if (objects.some((object) => object.get("__kind") === "__ParsingError")) {
      // A diagnostic concerns text that is dropped; parsed content must still be writable.
      expect(writeObjects(objects)).toMatch(/^\n$|\S\n$/);
      return;
    }
    const rebuilt = writeObjects(listIn(formatJson(objects)));

    expect(formatJson(withDetail(parseObjects(rebuilt), "standard"))).toBe(formatJson(objects));
    expect(contentOf(rebuilt)).toBe(contentOf(text));
    expect(levelsOf(rebuilt)).toEqual(levelsOf(text));
    expect(rebuilt).toMatch(/[^\n]\n$/);
  });
});
