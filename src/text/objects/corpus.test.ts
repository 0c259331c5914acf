import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { headingsOf } from "./headings.ts";
import { printJson, readJson } from "./json.ts";
import { type Format, inFormat, parseObjects } from "./parse.ts";
import { rebuildObjects } from "./rebuild.ts";
import { readSource } from "./source.ts";
import { sameValue, type Value } from "./value.ts";

/** The public cases of the format, where this clone has them beside it. */
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
  const value = readJson(text);
  if (!Array.isArray(value)) throw new Error("No list");
  return value;
};

/** The words of a text, without what may change when it is written again. */
function wordsOf(text: string): string {
  return text
    .replace(/<!--[\s\S]*?-->/g, "")
    .replace(/\[\[(?:[^[\]]|\[[^\]]*\])*\]\]/g, "")
    .replace(/^[ \t]*\|[ \t:|-]+$/gm, (rule) => rule.replace(/[^|]/g, ""))
    .replace(/^#+/gm, "")
    .replace(/["\s]+/g, "");
}

const levelsOf = (text: string): number[] => headingsOf(readSource(text)).map(({ level }) => level);

describe(`with ${isShared ? `${inputs.length} shared cases` : "our own case alone"}`, () => {
  test.each(results)("[objects.format.corpus] %s", (name) => {
    const format: Format =
      (["full", "minimal"] as const).find((word) => name.includes(`.${word}.`)) ?? "standard";
    const objects = inFormat(parseObjects(read(name.replace(/\.expected.*/, ".qmd.md"))), format);
    const expected = readJson(read(name));

    expect(sameValue(objects, expected) || printJson(objects)).toBe(
      sameValue(objects, expected) || printJson(expected),
    );
  });

  test.each(inputs)(
    "[objects.format.round-trip] %s is the same when it is written again",
    (name) => {
      const text = textOf(name);
      const objects = inFormat(parseObjects(text), "standard");
      if (objects.some((object) => object.get("__kind") === "__ParsingError")) {
        // A complaint is about words that are not kept; what was read must be writable all the same.
        expect(rebuildObjects(objects)).toMatch(/^\n$|\S\n$/);
        return;
      }
      const rebuilt = rebuildObjects(listIn(printJson(objects)));

      expect(printJson(inFormat(parseObjects(rebuilt), "standard"))).toBe(printJson(objects));
      expect(wordsOf(rebuilt)).toBe(wordsOf(text));
      expect(levelsOf(rebuilt)).toEqual(levelsOf(text));
      expect(rebuilt).toMatch(/[^\n]\n$/);
    },
  );
});
