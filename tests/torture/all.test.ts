import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { campaigns } from "./all.ts";

test("every campaign has a test file", () => {
  const tested = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".test.ts"))
    .map((path) => basename(path, ".test.ts"));

  expect(tested.sort()).toEqual([...campaigns.map(({ name }) => name), "all"].sort());
});
