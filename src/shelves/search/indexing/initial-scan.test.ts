import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { answerOf, outcomeOf } from "../../../../tests/fixtures/library/named-call.ts";
import { readSettings } from "../../../kernel/home/settings.ts";
import { openApp } from "../../../kernel/runtime/app.ts";
import { createLog } from "../../../kernel/runtime/log.ts";
import { search } from "../shelf.ts";

/** A home with a configured folder that was never scanned, as after a program update. */
function openUnread() {
  const home = mkdtempSync(join(tmpdir(), "lectern-unread-"));
  mkdirSync(join(home, "notes"));
  for (let page = 0; page < 600; page++) {
    writeFileSync(join(home, "notes", `${page}.md`), `# Page ${page}\n\nlamp${page}\n`);
  }
  const collections = { notes: { path: join(home, "notes"), pattern: "**/*.md" } };
  mkdirSync(join(home, ".home"));
  writeFileSync(join(home, ".home", "config.json"), JSON.stringify({ collections }));
  const library = openApp({
    shelves: [search],
    settings: readSettings({}, { LECTERN_HOME: join(home, ".home") }, home),
    identity: { name: "lectern", title: "Lectern", version: "0" },
    log: createLog({ level: "error", write() {} }),
  });
  onTestFinished(() => library.close());
  return library;
}

test("[search.initial-scan] a search during the initial scan of a folder gets the complete result", async () => {
  const library = openUnread();
  library.startBackground();

  for (const name of ["search", "query"]) {
    const { results } = await answerOf(library, name, { query: "lamp599" });

    expect(results).toMatchObject([{ file: "notes/599.md" }]);
  }
});

test("[search.initial-scan] a document is found by name before the scan has reached it", async () => {
  for (const [name, input] of [
    ["get", { file: "notes/599.md" }],
    ["multi_get", { pattern: "notes/599.md,notes/0.md" }],
  ] as const) {
    const library = openUnread();
    library.startBackground();
    const value = await answerOf(library, name, input);

    expect(JSON.stringify(value)).toContain("lamp599");
    expect(value.errors).toBeUndefined();
  }
});

test("[search.initial-scan] an empty result is not reported for an unscanned folder", async () => {
  const library = openUnread();

  for (const [name, input] of [
    ["search", { query: "lamp" }],
    ["get", { file: "notes/0.md" }],
    ["multi_get", { pattern: "notes/*.md" }],
  ] as const) {
    expect(await outcomeOf(library, name, input)).toMatchObject({
      ok: false,
      failure: {
        code: "not-yet",
        message: "Nothing was found so far. Still being indexed for the first time: notes.",
      },
    });
  }
});

test("[search.initial-scan] calls do not wait for collections they do not use", async () => {
  const library = openUnread();
  const other = mkdtempSync(join(tmpdir(), "lectern-read-"));
  writeFileSync(join(other, "a.md"), "# Lamp\n");
  await answerOf(library, "add_collection", { path: other, name: "read" });

  const { results } = await answerOf(library, "search", { query: "lamp", collection: "read" });
  expect(results).toMatchObject([{ file: "read/a.md" }]);
  expect(await outcomeOf(library, "get", { file: "read/b.md" })).toMatchObject({
    failure: { code: "not-found" },
  });
  expect(await outcomeOf(library, "multi_get", { pattern: "read/a.md" })).toMatchObject({
    ok: true,
  });
});
