import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { campaigns } from "./all.ts";

test("every campaign has a test of its own", () => {
  const tested = readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => name.replace(".test.ts", ""));

  expect(tested.sort()).toEqual([...campaigns.map(({ name }) => name), "all"].sort());
});
