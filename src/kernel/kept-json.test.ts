import { expect, test } from "vitest";
import { readKept } from "./kept-json.ts";

test("[house.store.unreadable] a text that is no JSON any more is told as damage, with the remedy", () => {
  expect(readKept<{ lamps: number }>('{"lamps":1}')).toEqual({ lamps: 1 });
  for (const text of ["", '{"lamps":', "This was something else once."]) {
    expect(() => readKept(text)).toThrow(
      expect.objectContaining({
        kind: "conflict",
        code: "store-damaged",
        hints: [expect.stringContaining("lectern doctor --repair")],
      }),
    );
  }
});
