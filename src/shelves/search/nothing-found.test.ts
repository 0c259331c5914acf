import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { outcomeOf } from "../../../tests/fixtures/named-call.ts";
import { openLibrary } from "../../kernel/library.ts";
import { makeLog } from "../../kernel/log.ts";
import { readSettings } from "../../kernel/settings.ts";
import { search } from "./shelf.ts";

test("[search.nothing.reason] who finds nothing is told where there is nothing to be found", async () => {
  const home = mkdtempSync(join(tmpdir(), "lectern-nothing-"));
  const notes = join(home, "notes");
  const said: string[] = [];
  const library = openLibrary({
    shelves: [search],
    settings: readSettings({}, { LECTERN_HOME: join(home, ".home") }, home),
    identity: { name: "lectern", title: "Lectern", version: "0" },
    log: makeLog({ level: "warn", write: (line) => said.push(line) }),
  });
  onTestFinished(() => library.close());
  const call = async (name: string, input: object) => {
    said.length = 0;
    return outcomeOf(library, name, input);
  };

  await call("search", { query: "lamp" });
  expect(said.join("")).toContain("There is no collection yet");
  expect(said.join("")).toContain("lectern collection add");

  mkdirSync(notes);
  writeFileSync(join(notes, "lamp.md"), "# Lamp\n");
  await call("add_collection", { path: notes, name: "notes" });
  await call("search", { query: "lamp" });
  expect(said).toEqual([]);
  await call("search", { query: "anchor" });
  expect(said).toEqual([]);

  rmSync(notes, { recursive: true });
  await call("update_collections", {});
  expect(said.join("")).toContain('the folder of a collection is not there name="notes"');
  await call("search", { query: "lamp" });
  expect(said.join("")).toContain("Folders of collections are not there: notes.");
});
