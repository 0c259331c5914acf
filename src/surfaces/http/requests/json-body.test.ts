import { expect, test } from "vitest";
import { jsonCases } from "../../../../tests/fixtures/inputs/json-cases.ts";
import { Failure } from "../../../kernel/failure.ts";
import { readJsonBody } from "./json-body.ts";

const read = (body: string | Uint8Array<ArrayBuffer>) =>
  readJsonBody(new Request("http://localhost/", { method: "POST", body }));

async function refusal(body: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const failure = await read(body).catch((error) => error);
  expect(failure).toBeInstanceOf(Failure);
  expect(failure.kind).toBe("invalid");
  return failure.message;
}

test("an empty body is an empty object", async () => {
  expect(await read("")).toEqual({});
  expect(await read(" \n")).toEqual({});
});

test("a body that is not a JSON object is refused with a message", async () => {
  expect(await refusal("[]")).toBe("The body must be a JSON object, such as {}.");
  expect(await refusal("null")).toContain("must be a JSON object");
  expect(await refusal("{bad")).toContain("The body is not valid JSON");
  expect(await refusal(Uint8Array.of(0x7b, 0xff, 0x7d))).toBe("The body is not UTF-8.");
});

test("a byte order mark before the object is ignored", async () => {
  expect(await read(Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d))).toEqual({});
});

test("[core.http.hostile-json] deeply nested JSON is refused before it is parsed", async () => {
  const message = "The body nests deeper than 100 levels.";
  expect(await refusal("[".repeat(100_000))).toBe(message);
  expect(await refusal(`{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`)).toBe(message);
  const brackets = { note: '\\"[{'.repeat(1_000), open: "[".repeat(1_000) };
  expect(await read(JSON.stringify(brackets))).toEqual(brackets);
});

test("[core.http.hostile-json] JSON with very many names is refused before it is parsed", async () => {
  const named = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, ":"]));

  expect(await refusal(JSON.stringify(named(50_001)))).toBe("The body has more than 50,000 names.");
  expect(await read(JSON.stringify(named(50_000)))).toEqual(named(50_000));
});

test("[core.http.hostile-json] huge numbers, duplicate keys and __proto__ have no effect", async () => {
  expect(await read('{"n": 1e999, "a": 1, "a": 2}')).toEqual({ n: Number.POSITIVE_INFINITY, a: 2 });
  const given = await read('{"__proto__": {"polluted": 1}}');
  expect(Object.getPrototypeOf(given)).toBe(Object.prototype);
  expect(Object.keys(given)).toEqual(["__proto__"]);
});

const { source, cases } = jsonCases();

test(`[core.http.hostile-json] every case of ${source} is parsed or refused`, async () => {
  for (const { name, bytes } of cases) {
    const outcome = await read(new Uint8Array(bytes)).then(
      () => "read",
      (error) => (error instanceof Failure ? "refused" : String(error)),
    );
    const isEmpty = bytes.toString("utf8").trim() === "";
    if (name.startsWith("n_") && !isEmpty) expect([name, outcome]).toEqual([name, "refused"]);
    else expect(["read", "refused"]).toContain(outcome);
  }
});
