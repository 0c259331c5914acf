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
import { openDirectory } from "./safe-directory.ts";
import { makeStaged } from "./staged-file.ts";

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

test("[house.paths.swapped] every operation acts in the folder that was opened, whatever its path leads to now", async () => {
  const { top, directory, swap, outside } = openFolders();
  const before = outside();
  swap();

  directory.write("new", "new");
  directory.putNew("new", "second");
  directory.rename("new", "renamed");
  directory.makeFolder("folder");
  directory.remove("old");
  await pipeline(["piece by piece"], directory.stream("streamed"));
  makeStaged(directory, "staged", (path) => writeFileSync(path, "by its path"));
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

test("[house.paths.swapped] a link is neither opened as a folder, nor listed, nor written through, nor followed when a folder is removed", () => {
  const { top, directory, outside } = openFolders();
  const before = outside();
  symlinkSync(join(top, "outside"), join(top, "work/way-out"));
  symlinkSync(join(top, "outside"), join(top, "work/inner/way-out"));
  symlinkSync(join(top, "outside/made"), join(top, "work/dangling"));

  expect(() => directory.enter("way-out")).toThrow("moved or replaced");
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

test("[house.paths.swapped] only a single name is taken, and a folder that is gone or none is refused in words", () => {
  const { top, directory } = openFolders();
  for (const name of ["", ".", "..", "../outside/secret", "inner/x", "a\0b"]) {
    expect(() => directory.write(name, "x"), name).toThrow("Invalid path");
  }
  expect(() => openDirectory(join(top, "gone"))).toThrow("not there any more");
  expect(() => openDirectory(join(top, "work/old"))).toThrow("moved or replaced");
});
