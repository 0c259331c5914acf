import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createBoundary } from "../paths/boundary.ts";
import { applyFileEdits, type FileEdit } from "./file-edits.ts";

/** A folder with two files, and a folder beside it that must not be written to. */
function twoFiles() {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "lectern-edits-")));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const folder = join(top, "folder");
  for (const place of [folder, join(top, "outside")]) mkdirSync(place);
  writeFileSync(join(folder, "a.md"), "one\r\n");
  writeFileSync(join(folder, "b.md"), "two\n");
  const edit = (name: string, before: string | undefined, after: string | undefined): FileEdit => ({
    path: join(folder, name),
    before,
    after,
  });
  return {
    top,
    folder,
    edit,
    apply: (...edits: FileEdit[]) =>
      applyFileEdits(createBoundary({ base: folder }), folder, edits),
    state: () =>
      Object.fromEntries(
        readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]),
      ),
  };
}

test("[core.file-edits.all] files are changed, created and deleted in one step", () => {
  const { folder, edit, apply, state } = twoFiles();
  chmodSync(join(folder, "a.md"), 0o640);
  apply(
    edit("a.md", "one\r\n", "1\r\n"),
    edit("b.md", "two\n", undefined),
    edit("c.md", undefined, "3"),
  );
  expect(state()).toEqual({ "a.md": "1\r\n", "c.md": "3" });
  expect(statSync(join(folder, "a.md")).mode & 0o777).toBe(0o640);
});

test("[core.file-edits.none] if one file was changed or created since it was read, no file is touched", () => {
  const before = { "a.md": "one\r\n", "b.md": "two\n" };
  const { edit, apply, state } = twoFiles();
  const first = edit("a.md", "one\r\n", "1");
  expect(() => apply(first, edit("b.md", "other", "2"))).toThrow(
    "'b.md' was changed meanwhile; nothing was written.",
  );
  expect(state()).toEqual(before);
  expect(() => apply(first, edit("b.md", undefined, "2"))).toThrow("'b.md' already exists");
  expect(state()).toEqual(before);
  expect(() => apply(first, edit("c.md", "three", "3"))).toThrow();
  expect(state()).toEqual(before);
});

test("[core.file-edits.inside] nothing is created in a folder that resolves outside", () => {
  const { top, folder, edit, apply } = twoFiles();
  symlinkSync(join(top, "outside"), join(folder, "way-out"));
  expect(() => apply(edit("way-out/new.md", undefined, "text"))).toThrow(/outside the root/);
  expect(readdirSync(join(top, "outside"))).toEqual([]);
});
