import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { openSample } from "../../../tests/fixtures/library/sample-library.ts";

test("[core.perform.release] an answered call keeps no reference to its caller", async () => {
  const library = await openSample();
  const entry = library.catalogue.find("status");
  if (!entry) throw new Error("There is no status.");
  const caller = new AbortController();
  const options = { actor: { surface: "mcp" as const }, signal: caller.signal, timeLimit: 60_000 };

  expect(await library.call(entry, {}, options)).toMatchObject({ ok: true });
  expect(getEventListeners(caller.signal, "abort")).toEqual([]);
});
