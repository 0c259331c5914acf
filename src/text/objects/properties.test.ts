import fc from "fast-check";
import { expect, test } from "vitest";
import {
  damagedDocument,
  objectDocument,
} from "../../../tests/fixtures/objects/object-documents.ts";
import { parseObjects, withDetail } from "./parse-objects.ts";
import { formatJson, parseJsonValue } from "./values/json.ts";
import { valuesEqual } from "./values/value.ts";
import { writeObjects } from "./writing/write-objects.ts";

const anyDocument = fc.oneof(objectDocument, damagedDocument);

test("[objects.format.round-trip] documents without diagnostics are unchanged when written again", () => {
  fc.assert(
    fc.property(anyDocument, (text) => {
      const objects = withDetail(parseObjects(text), "standard");
      fc.pre(!objects.some((object) => object.get("__kind") === "__ParsingError"));
      const read = parseJsonValue(formatJson(objects));
      const again = parseObjects(writeObjects(Array.isArray(read) ? read : []));
      expect(formatJson(withDetail(again, "standard"))).toBe(formatJson(objects));
    }),
    { numRuns: 500 },
  );
});

test("[objects.format.round-trip] writing a written file gives the same file", () => {
  fc.assert(
    fc.property(objectDocument, (text) => {
      const objects = parseObjects(text);
      fc.pre(!objects.some((object) => object.get("__kind") === "__ParsingError"));
      const once = writeObjects(objects);
      expect(writeObjects(parseObjects(once))).toBe(once);
    }),
    { numRuns: 300 },
  );
});

test("[objects.format.hostile] any characters are read and written without a failure", () => {
  const letters = fc.string({ unit: "binary", maxLength: 300 });
  const signs = fc.string({
    unit: fc.constantFrom(..."#[]:-|`<>!\n\r\t \"'*~_.1a", "[[", "]]", "[[#", "```", "<!--", "-->"),
    maxLength: 300,
  });

  fc.assert(
    fc.property(fc.oneof(letters, signs, damagedDocument), (text) => {
      const objects = parseObjects(text);
      expect(writeObjects(objects)).toMatch(/(^|[^\n])\n$/);
      expect(valuesEqual(parseJsonValue(formatJson(objects)), objects)).toBe(true);
    }),
    { numRuns: 500 },
  );
});
