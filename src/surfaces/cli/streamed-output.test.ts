import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../../../tests/fixtures/library/cli-library.ts";
import { openApp } from "../../kernel/runtime/app.ts";
import { createLog } from "../../kernel/runtime/log.ts";
import { search } from "../../shelves/search/shelf.ts";

test("[search.grep.stream] text is printed once, when found, and data at the end", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "lectern-grep-"));
  mkdirSync(join(cwd, "notes"));
  for (const name of ["a", "b"]) {
    writeFileSync(join(cwd, `notes/${name}.md`), `# ${name}\nlamp ${name}\n`.repeat(150));
  }
  const run = (...argv: string[]) =>
    runCli(argv, {
      cwd,
      env: { LECTERN_HOME: join(cwd, "home") },
      shelves: [search],
      openApp: (settings, identity) =>
        openApp({
          shelves: [search],
          settings,
          identity,
          log: createLog({ level: "error", write: () => {} }),
        }),
    });
  await run("collection", "add", "notes");

  const text = await run("grep", "^LAMP", "-i");
  expect(text).toMatchObject({ code: 0, err: "" });
  expect(text.out.split("\n")).toHaveLength(301);
  expect(text.out).toMatch(/^notes\/a\.md:2:1: lamp a\n/);
  expect(text.out).toMatch(/\nnotes\/b\.md:300:1: lamp b\n$/);
  const data = await run("grep", "lamp", "--json", "-n", "2");
  expect(JSON.parse(data.out)).toHaveLength(2);
  expect((await run("grep", "lamp", "--files", "-l")).out).toBe("notes/a.md\nnotes/b.md\n");
  expect((await run("grep", "zeppelin")).out).toBe("No matches.\n");
  const limited = await run("grep", "-F", "-n", "1", "--", "lamp a");
  expect(limited.out).toMatch(/^notes\/a\.md:2:1: lamp a\nStopped at the limit of one match\./);
});
