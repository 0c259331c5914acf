import { expect, test } from "vitest";
import { objectAtLine } from "./object-positions.ts";
import { parseFile } from "./parsing/parse-file.ts";

const text = `Before.

# A [[ a : Kind]]

- k: 1

## B 😀 [[b]]

- l: 2

## T [[t: [Row]]]

| x |
|---|
| 1 |

# Auto

- k: 1
`;
const { positions } = parseFile(text);
const lines = text.split("\n");

test("[objects.format.positions] a line belongs to the innermost object around it", () => {
  const ids = lines.map((_, index) => objectAtLine(positions, index + 1)?.get("__id") ?? null);

  expect(ids).toEqual([
    ...["text_0", "text_0", "a", "a", "a", "a", "a.b", "a.b", "a.b", "a.b"],
    ...["a", "a", "a", "a", "a.t.t_0", "a", "auto", "auto", "auto", "auto"],
  ]);
});

test("[objects.format.positions] the id in a heading is found by line and columns", () => {
  const found = positions.flatMap(({ id }) =>
    id ? [lines[id.line - 1]?.slice(id.start, id.end)] : [],
  );

  expect(found).toEqual(["a", "b"]);
});
