import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { runCli } from "../../../../tests/fixtures/library/cli-library.ts";
import { openApp } from "../../../kernel/runtime/app.ts";
import { createLog } from "../../../kernel/runtime/log.ts";
import { search } from "../../../shelves/search/shelf.ts";
import { documentLink, pathOnDisk } from "./document-paths.ts";
import { openingCommand } from "./open-document.ts";

const home = realpathSync(mkdtempSync(join(tmpdir(), "lectern-paths-")));
const folder = join(home, "my papers");

/** Runs a command of the search shelf in this process. */
const run = (argv: readonly string[], env: Record<string, string> = {}, terminal = false) =>
  runCli(argv, {
    env: { LECTERN_HOME: join(home, ".home"), ...env },
    cwd: home,
    shelves: [search],
    terminal,
    openApp: (settings, identity) =>
      openApp({
        shelves: [search],
        settings,
        identity,
        log: createLog({ level: "error", write: (line) => process.stderr.write(line) }),
      }),
  });

beforeAll(async () => {
  mkdirSync(folder);
  writeFileSync(join(folder, "lamp post.md"), "# Lamp\n\nOne.\n\n## Brass\n\nThe brass lamp.\n");
  writeFileSync(join(folder, "other.md"), "# Other\n\nA lamp.\n");
  await run(["collection", "add", folder, "--name", "notes"]);
});

test("[search.cli.paths] --paths prints each file's path on disk, and -0 separates them for xargs -0", async () => {
  const paths = [join(folder, "lamp post.md"), join(folder, "other.md")];

  const { out } = await run(["search", "lamp", "--paths", "--per-file", "5"]);
  expect(out.split("\n").toSorted()).toEqual(["", ...paths]);
  for (const flags of [["-0"], ["--files", "-0"], ["--paths", "--null"]]) {
    const { out: separated } = await run(["search", "lamp", ...flags]);
    expect(separated.split("\0").toSorted(), flags.join(" ")).toEqual(["", ...paths]);
  }
  expect((await run(["ls", "--paths"])).out).toBe(`${paths.join("\n")}\n`);
  expect((await run(["grep", "lamp", "-i", "--paths"])).out).toBe(`${paths.join("\n")}\n`);
  expect((await run(["get", "other.md", "--paths"])).out).toBe(`${paths[1]}\n`);
  expect(await run(["search", "lamp", "--csv", "-0"])).toMatchObject({ code: 2 });
  expect(await run(["search", "lamp", "--min-score", "-0"])).toMatchObject({ code: 0 });
  expect(await run(["status", "--paths"])).toMatchObject({ code: 2 });
});

test("[search.cli.full-path] --full-path shows paths on disk in every format", async () => {
  const path = join(folder, "other.md");

  for (const format of ["text", "json", "csv"]) {
    const { out } = await run(["search", "other", "--full-path", "--format", format]);
    expect(out, format).toContain(path);
    expect(out, format).not.toContain("notes/other.md");
  }
  expect((await run(["search", "other", "--full-path"], { NO_COLOR: "1" }, true)).out).toContain(
    `${path}:1  #`,
  );
  expect((await run(["ls", "--full-path", "--json"])).out).toContain(path);
  expect((await run(["grep", "A lamp", "--full-path"])).out).toBe(`${path}:3:1: A lamp.\n`);
});

test("[search.cli.open] --open opens the first result in the editor, at the line of the match", async () => {
  const editor = join(home, "vim");
  const opened = join(home, "opened");
  writeFileSync(editor, `#!/bin/sh\nprintf '%s|' "$@" > "${opened}"\n`);
  chmodSync(editor, 0o755);

  const { code, out, err } = await run(["search", "brass", "--open"], { EDITOR: `${editor} -R` });
  const path = join(folder, "lamp post.md");
  expect({ code, out, err }).toEqual({ code: 0, out: "", err: `${path}:5\n` });
  expect(readFileSync(opened, "utf8")).toBe(`-R|+5|${path}|`);
  const inside = await run(["search", "brass lamp", "--open"], { EDITOR: editor });
  expect(inside.err).toBe(`${path}:7\n`);
  expect((await run(["search", "zeppelin", "--open"], { EDITOR: editor })).out).toMatch(
    "No results",
  );
  expect(await run(["get", "other.md", "--open"], { EDITOR: join(home, "gone") })).toMatchObject({
    code: 7,
    err: expect.stringContaining("Set VISUAL or EDITOR"),
  });
});

test("[search.cli.open] each editor gets the line in its own syntax", () => {
  const words = (env: Record<string, string>, platform = "linux") =>
    openingCommand("/a.md", 5, env, platform).join(" ");

  expect(words({ VISUAL: "code --wait", EDITOR: "vi" })).toBe("code --wait -g /a.md:5");
  expect(words({ EDITOR: "nano" })).toBe("nano +5 /a.md");
  expect(words({ EDITOR: "/usr/bin/hx" })).toBe("/usr/bin/hx /a.md:5");
  expect(words({ EDITOR: "idea" })).toBe("idea --line 5 /a.md");
  expect(words({ EDITOR: "leafpad" })).toBe("leafpad /a.md");
  expect(words({})).toBe("xdg-open /a.md");
  expect(words({}, "darwin")).toBe("open /a.md");
});

test("[core.cli.links] a link opens the file, or the editor that the environment names", () => {
  const place = { path: "/my notes/a.md", line: 5 };

  expect(pathOnDisk("notes/a.md", new Map([["notes", "/my notes"]]))).toBe("/my notes/a.md");
  expect(pathOnDisk("other/a.md", new Map())).toBeUndefined();
  expect(documentLink(place, undefined)).toBe("file:///my%20notes/a.md");
  expect(documentLink(place, "vscode://file{path}:{line}")).toBe("vscode://file/my%20notes/a.md:5");
});

test("[core.cli.program-name] lectern calls itself lectern in messages that name qmd", async () => {
  expect((await run(["vsearch", "lamp"])).err).toMatch("Run 'lectern embed' first");
  expect((await run(["query", "lamp"])).err).toMatch("Run 'lectern embed' to create them.");
});
