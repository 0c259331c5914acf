import { expect, test } from "vitest";
import { parseStoredJson } from "./stored-json.ts";

test("[core.store.unreadable] text that is no longer valid JSON is reported as damage, with the remedy", () => {
  expect(parseStoredJson<{ lamps: number }>('{"lamps":1}')).toEqual({ lamps: 1 });
  for (const text of ["", '{"lamps":', "This was something else once."]) {
    expect(() => parseStoredJson(text)).toThrow(
      expect.objectContaining({
        kind: "conflict",
        code: "store-damaged",
        hints: [expect.stringContaining("lectern doctor --repair")],
      }),
    );
  }
});
