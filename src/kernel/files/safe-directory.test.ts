import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { expect, onTestFinished, test } from "vitest";
import { openDirectory, type SafeDirectory } from "./safe-directory.ts";
import { createThroughStaging } from "./staged-file.ts";

/** A folder that is open, and can be swapped for a link to a folder outside. */
function openFolders() {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "lectern-safe-")));
  for (const name of ["work", "work/inner", "outside", "outside/inner"]) mkdirSync(join(top, name));
  for (const name of ["outside/secret", "outside/old", "outside/inner/secret", "work/old"]) {
    writeFileSync(join(top, name), name);
  }
  const directory = openDirectory(join(top, "work"));
  onTestFinished(() => {
    directory.close();
    rmSync(top, { recursive: true, force: true });
  });
  return {
    top,
    directory,
    swap() {
      renameSync(join(top, "work"), join(top, "aside"));
      symlinkSync(join(top, "outside"), join(top, "work"));
    },
    outside: () =>
      readdirSync(join(top, "outside"), { recursive: true, encoding: "utf8" })
        .sort()
        .map((name) => name),
  };
}

test("[core.paths.swapped] every operation acts in the opened folder, whatever its path leads to now", async () => {
  const { top, directory, swap, outside } = openFolders();
  const before = outside();
  swap();

  directory.write("new", "new");
  directory.moveToNew("new", "second");
  directory.rename("new", "renamed");
  directory.makeFolder("folder");
  directory.remove("old");
  await pipeline(["piece by piece"], directory.stream("streamed"));
  createThroughStaging(directory, "staged", (path) => writeFileSync(path, "by its path"));
  directory.removeTree("inner");

  expect(
    directory
      .entries()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(["folder", "renamed", "second", "staged", "streamed"]);
  expect(directory.stat("secret")).toBeUndefined();
  expect(outside()).toEqual(before);
  expect(readFileSync(join(top, "outside/old"), "utf8")).toBe("outside/old");
  expect(readFileSync(join(top, "aside/staged"), "utf8")).toBe("by its path");
  expect(() => directory.verify()).toThrow("moved or replaced");
});

test("[core.paths.swapped] a link is never opened as a folder, listed, written through, or followed during removal", () => {
  const { top, directory, outside } = openFolders();
  const before = outside();
  symlinkSync(join(top, "outside"), join(top, "work/way-out"));
  symlinkSync(join(top, "outside"), join(top, "work/inner/way-out"));
  symlinkSync(join(top, "outside/made"), join(top, "work/dangling"));

  expect(() => directory.openFolder("way-out")).toThrow("moved or replaced");
  expect(() => openDirectory(join(top, "work/way-out"))).toThrow("moved or replaced");
  expect(() => openDirectory(join(top, "work/way-out/inner"))).toThrow("moved or replaced");
  expect(() => directory.write("dangling", "x")).toThrow("EEXIST");
  expect(() => directory.removeFolder("way-out")).toThrow("ENOTDIR");
  directory.removeTree("inner");
  directory.removeTree("way-out");

  expect(outside()).toEqual(before);
  expect(
    directory
      .entries()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(["dangling", "old"]);
});

test("[core.paths.swapped] a system error for a folder that was removed meanwhile is reported as a refusal", () => {
  const attempts: Record<string, (directory: SafeDirectory) => unknown> = {
    write: (directory) => directory.write("new", "new"),
    stream: (directory) => directory.stream("new"),
    makeFolder: (directory) => directory.makeFolder("new"),
    enter: (directory) => directory.openFolder("inner"),
    copyFrom: (directory) => directory.copyFrom(import.meta.filename, "new"),
    rename: (directory) => directory.rename("old", "new"),
    putNew: (directory) => directory.moveToNew("old", "new"),
    removeFolder: (directory) => directory.removeFolder("inner"),
    makeStaged: (directory) => createThroughStaging(directory, "new", () => {}),
  };
  for (const [name, attempt] of Object.entries(attempts)) {
    const { top, directory } = openFolders();
    rmSync(join(top, "work"), { recursive: true });
    expect(() => attempt(directory), name).toThrow(/moved or replaced|no longer exists/);
    mkdirSync(join(top, "work/inner"), { recursive: true });
    expect(() => attempt(directory), name).toThrow(/moved or replaced|no longer exists/);
    expect(readdirSync(join(top, "work"))).toEqual(["inner"]);
    // There is nothing to clean up, and cleanup is never refused.
    for (const left of ["old", "inner"]) directory.removeTree(left);
  }
});

test("[core.paths.swapped] while the folder exists, the system's own error is kept", () => {
  const { directory } = openFolders();
  expect(() => directory.rename("none", "new")).toThrow("ENOENT");
  expect(() => directory.makeFolder("old")).toThrow("EEXIST");
});

test("[core.paths.swapped] only a single path segment is accepted, and a missing folder or a file is refused with a message", () => {
  const { top, directory } = openFolders();
  for (const name of ["", ".", "..", "../outside/secret", "inner/x", "a\0b"]) {
    expect(() => directory.write(name, "x"), name).toThrow("Invalid path");
  }
  expect(() => openDirectory(join(top, "gone"))).toThrow("no longer exists");
  expect(() => openDirectory(join(top, "work/old"))).toThrow("moved or replaced");
});
