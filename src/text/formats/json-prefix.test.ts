import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cpuMs } from "../../../tests/fixtures/cpu-time.ts";
import { jsonCases } from "../../../tests/fixtures/inputs/json-cases.ts";
import { createJsonPrefixChecker, type JsonPrefixVerdict, maxNesting } from "./json-prefix.ts";

const verdictOn = (...pieces: string[]): JsonPrefixVerdict => {
  const prefix = createJsonPrefixChecker();
  return pieces.map((piece) => prefix.feed(piece)).at(-1) ?? "unfinished";
};

const { source, cases } = jsonCases();

test("invalid syntax is impossible from the first wrong character on", () => {
  const check = (text: string) => {
    expect([text, verdictOn(text.slice(0, -1))]).toEqual([text, "unfinished"]);
    expect([text, verdictOn(text)]).toEqual([text, "impossible"]);
  };

  check("{b");
  check("{,");
  check('{"a",');
  check('{"a":}');
  check('{"a":1]');
  check('{"a":01');
  check('{"a":-x');
  check('{"a":1.}');
  check('{"a":1e+,');
  check('{"a":tra');
  check('{"a":"\\x');
  check('{"a":"\\u00g');
  check('{"a":"line\n');
  check('{"a":[1}');
  check("[1 2");
  check("[1,]");
});

test("only an object or an array can start", () => {
  for (const text of ["1", '"x"', "null", "x", "\ufeff{}"]) {
    expect([text, verdictOn(text)]).toEqual([text, "impossible"]);
  }
  expect(verdictOn(" \t\r\n")).toBe("unfinished");
});

test("only white space may follow a complete value", () => {
  expect(verdictOn('{"a":[]} \r\n\t')).toBe("complete");
  expect(verdictOn("{}", " ", "{")).toBe("impossible");
  expect(verdictOn("{}x", "   ")).toBe("impossible");
});

test("every prefix of an object or array is unfinished, and the whole is complete", async () => {
  const documents = fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()));
  await fc.assert(
    fc.property(documents, fc.constantFrom(undefined, 2, "\t"), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const prefix = createJsonPrefixChecker();
      for (const unit of text.slice(0, -1).split("")) expect(prefix.feed(unit)).toBe("unfinished");
      expect(prefix.feed(text.slice(-1))).toBe("complete");
    }),
    { numRuns: 300 },
  );
});

test("the verdict equals that of JSON.parse, for any text of JSON's characters", async () => {
  const pieces = '{ } [ ] , : " \\ a u 0 1 - + . e E t r f l s n true false null "k": \n é'.split(
    " ",
  );
  const texts = fc
    .tuple(fc.constantFrom("{", "["), fc.array(fc.constantFrom(...pieces, " "), { maxLength: 14 }))
    .map(([first, rest]) => first + rest.join(""));
  await fc.assert(
    fc.property(texts, (text) => {
      expect([text, verdictOn(text)]).toEqual([text, judged(text)]);
    }),
    { numRuns: 5_000 },
  );
});

test("the verdict does not depend on the chunks", async () => {
  await fc.assert(
    fc.property(fc.json({ maxDepth: 3 }), fc.nat(), fc.nat(), (text, one, other) => {
      const [from = 0, to = 0] = [one, other]
        .map((cut) => cut % (text.length + 1))
        .sort((a, b) => a - b);
      const pieces = [text.slice(0, from), text.slice(from, to), text.slice(to)];
      expect(verdictOn(...pieces)).toBe(verdictOn(text));
    }),
  );
});

test(`objects and arrays of ${source} are judged like JSON.parse`, () => {
  for (const { name, bytes } of cases) {
    const text = bytes.toString("utf8");
    if (!/^[\s]*[{[]/.test(text)) continue;
    expect([name, verdictOn(text) === "complete"]).toEqual([name, parses(text)]);
  }
});

test("nesting uses no stack, and is impossible beyond its limit", () => {
  expect(verdictOn("[".repeat(100_000))).toBe("unfinished");
  expect(verdictOn("[".repeat(100_000), "]".repeat(100_000))).toBe("complete");
  expect(verdictOn('{"a":'.repeat(100_000), "1", "}".repeat(100_000))).toBe("complete");
  expect(verdictOn("[".repeat(maxNesting))).toBe("unfinished");
  expect(verdictOn("[".repeat(maxNesting), "[")).toBe("impossible");
});

test("a long text in small pieces is read once, not with each piece", () => {
  const prefix = createJsonPrefixChecker();
  prefix.feed('{"a":"');
  const begin = cpuMs();
  for (let piece = 0; piece < 100_000; piece++) prefix.feed("sixteen letters.");
  expect(prefix.feed('"}')).toBe("complete");
  // Parsing again from the start each time would take about 80 billion steps.
  expect(cpuMs() - begin).toBeLessThan(10_000);
});

function judged(text: string): JsonPrefixVerdict {
  if (parses(text)) return "complete";
  return couldBeFinished(text) ? "unfinished" : "impossible";
}

/** All possible completions of a JSON prefix; a valid prefix has one that parses. */
function couldBeFinished(text: string): boolean {
  let inString = false;
  const closing: string[] = [];
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === "\\" && inString) at++;
    else if (char === '"') inString = !inString;
    else if (!inString && char === "{") closing.unshift("}");
    else if (!inString && char === "[") closing.unshift("]");
    else if (!inString && (char === "}" || char === "]")) closing.shift();
  }
  const tails = ["", "0", ..."rue ue e alse lse se ull ll l".split(" ")];
  const inStrings = ["", "n", "u0000", "0000", "000", "00", "0"].map((rest) => `${rest}"`);
  const beginnings = [...tails, ...inStrings, '"":0'];
  return beginnings.some((beginning) =>
    ["", ":0"].some((member) => parses(text + beginning + member + closing.join(""))),
  );
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
