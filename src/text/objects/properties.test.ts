import fc from "fast-check";
import { expect, test } from "vitest";
import { damagedDocument, objectDocument } from "../../../tests/fixtures/object-documents.ts";
import { printJson, readJson } from "./json.ts";
import { inFormat, parseObjects } from "./parse.ts";
import { rebuildObjects } from "./rebuild.ts";
import { sameValue } from "./value.ts";

const anyDocument = fc.oneof(objectDocument, damagedDocument);

test("[objects.format.round-trip] documents without complaints are the same when they are written again", () => {
  fc.assert(
    fc.property(anyDocument, (text) => {
      const objects = inFormat(parseObjects(text), "standard");
      fc.pre(!objects.some((object) => object.get("__kind") === "__ParsingError"));
      const read = readJson(printJson(objects));
      const again = parseObjects(rebuildObjects(Array.isArray(read) ? read : []));
      expect(printJson(inFormat(again, "standard"))).toBe(printJson(objects));
    }),
    { numRuns: 500 },
  );
});

test("[objects.format.round-trip] a file that was written once is written so again", () => {
  fc.assert(
    fc.property(objectDocument, (text) => {
      const objects = parseObjects(text);
      fc.pre(!objects.some((object) => object.get("__kind") === "__ParsingError"));
      const once = rebuildObjects(objects);
      expect(rebuildObjects(parseObjects(once))).toBe(once);
    }),
    { numRuns: 300 },
  );
});

test("[objects.format.hostile] any letters are read and written without a failure", () => {
  const letters = fc.string({ unit: "binary", maxLength: 300 });
  const signs = fc.string({
    unit: fc.constantFrom(..."#[]:-|`<>!\n\r\t \"'*~_.1a", "[[", "]]", "[[#", "```", "<!--", "-->"),
    maxLength: 300,
  });

  fc.assert(
    fc.property(fc.oneof(letters, signs, damagedDocument), (text) => {
      const objects = parseObjects(text);
      expect(rebuildObjects(objects)).toMatch(/(^|[^\n])\n$/);
      expect(sameValue(readJson(printJson(objects)), objects)).toBe(true);
    }),
    { numRuns: 500 },
  );
});
