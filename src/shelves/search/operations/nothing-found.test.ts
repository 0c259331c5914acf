import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { outcomeOf } from "../../../../tests/fixtures/library/named-call.ts";
import { readSettings } from "../../../kernel/home/settings.ts";
import { openApp } from "../../../kernel/runtime/app.ts";
import { createLog } from "../../../kernel/runtime/log.ts";
import { search } from "../shelf.ts";

test("[search.nothing.reason] an empty result explains if there is no collection or a folder is missing", async () => {
  const home = mkdtempSync(join(tmpdir(), "lectern-nothing-"));
  const notes = join(home, "notes");
  const logged: string[] = [];
  const library = openApp({
    shelves: [search],
    settings: readSettings({}, { LECTERN_HOME: join(home, ".home") }, home),
    identity: { name: "lectern", title: "Lectern", version: "0" },
    log: createLog({ level: "warn", write: (line) => logged.push(line) }),
  });
  onTestFinished(() => library.close());
  const call = async (name: string, input: object) => {
    logged.length = 0;
    return outcomeOf(library, name, input);
  };

  await call("search", { query: "lamp" });
  expect(logged.join("")).toContain("There are no collections yet");
  expect(logged.join("")).toContain("lectern collection add");

  mkdirSync(notes);
  writeFileSync(join(notes, "lamp.md"), "# Lamp\n");
  await call("add_collection", { path: notes, name: "notes" });
  await call("search", { query: "lamp" });
  expect(logged).toEqual([]);
  await call("search", { query: "anchor" });
  expect(logged).toEqual([]);

  rmSync(notes, { recursive: true });
  expect(await call("update_collections", {})).toMatchObject({
    value: { skipped: [{ path: "notes", reason: "its folder does not exist" }] },
  });
  expect(logged).toEqual([]);
  await call("search", { query: "lamp" });
  expect(logged.join("")).toContain("The folders of these collections do not exist: notes.");
});
