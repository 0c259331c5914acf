import { expect, test } from "vitest";
import { requirements } from "../requirements/all.ts";
import { filesBelow } from "./source-files.ts";

const ids = new Set(Object.keys(requirements));
const cited = new Set(
  filesBelow(["src", "tests"], /\.test\.ts$/).flatMap(({ text }) =>
    [...text.matchAll(/\[([a-z]+(?:\.[a-z0-9-]+){1,3})\]/g)].map((match) => match[1] ?? ""),
  ),
);

test("[core.requirements.tested] every requirement has a test with its id", () => {
  expect([...ids].filter((id) => !cited.has(id))).toEqual([]);
});

test("[core.requirements.known] every id in a test name is a requirement", () => {
  const shelves = new Set([...ids].map((id) => id.split(".")[0]));
  const unknown = [...cited].filter((id) => shelves.has(id.split(".")[0] ?? "") && !ids.has(id));

  expect(unknown).toEqual([]);
});
