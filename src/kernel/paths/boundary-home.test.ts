import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFileAtomically } from "../files/new-file.ts";
import { temporaryName } from "../files/temporary-name.ts";
import { openWalk } from "../indexing/walk.ts";
import { createBoundary } from "./boundary.ts";
import { createHomeCheck } from "./home-files.ts";

const own = ["secret", "lectern.sqlite", "lectern.sqlite-wal", "lectern.sock", "config.json"];

/** A library that contains a home, like a user who serves their whole folder. */
function libraryWithHome() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "lectern-own-home-")));
  const home = join(root, "papers", ".config", "lectern");
  for (const folder of ["login-codes", "models"])
    mkdirSync(join(home, folder), { recursive: true });
  for (const name of [...own, "login-codes/1f", "models/own.md"])
    writeFileSync(join(home, name), "secret words");
  writeFileSync(join(root, "papers", "a.md"), "paper");
  symlinkSync(home, join(root, "papers", "way"));
  symlinkSync(join(home, "secret"), join(root, "papers", "key.md"));
  linkSync(join(home, "secret"), join(root, "papers", "twin.md"));
  return { root, home, papers: join(root, "papers") };
}

const codeOf = (work: () => unknown): unknown => {
  try {
    work();
    return "done";
  } catch (error) {
    return Object(error).code;
  }
};

test("[core.boundary.home] no path leads into the home: directly, by links, or by a second name", () => {
  const { root, home, papers } = libraryWithHome();
  const closed = createBoundary({ base: root, home: createHomeCheck([home], root) });
  const names = [
    home,
    join(home, "secret"),
    join(home, "nothing-here"),
    join(home, "models", "own.md"),
    "papers/../papers/.config/lectern/lectern.sqlite",
    "papers/way",
    "papers/way/secret",
    "papers/key.md",
    "papers/twin.md",
  ];
  for (const name of names) {
    expect([name, codeOf(() => closed.resolvePath(name))]).toEqual([name, "in-home"]);
    expect([name, closed.isHidden(join(root, name.replace(root, "")))]).toEqual([name, true]);
  }
  for (const boundary of [closed, closed.unrestricted]) {
    for (const name of names.filter((name) => !name.includes("nothing"))) {
      expect([name, codeOf(() => boundary.resolvePath(name))]).toEqual([name, "in-home"]);
    }
    for (const name of ["way/secret", "key.md", "twin.md"]) {
      const path = join(papers, name);
      expect([name, codeOf(() => boundary.readFile(path, papers))]).not.toEqual([name, "done"]);
      expect([name, codeOf(() => boundary.streamFile(path, papers))]).not.toEqual([name, "done"]);
    }
    expect(codeOf(() => boundary.openDirectory(home))).toBe("in-home");
    expect(codeOf(() => boundary.readFile(join(home, "secret"), home))).not.toBe("done");
    expect(codeOf(() => boundary.openParentDirectory(join(home, "config.json")))).toBe("in-home");
  }
  expect(closed.entries(join(papers, ".config"))).toEqual([]);
  expect(closed.entries(papers).map(({ name }) => name)).toEqual(
    expect.arrayContaining([".config", "a.md"]),
  );
});

test("[core.boundary.home] walking a collection around the home, or of the home, finds none of its files", () => {
  const { root, home, papers } = libraryWithHome();
  const plain = join(papers, "plain");
  mkdirSync(plain);
  writeFileSync(join(plain, "secret"), "hidden");
  const boundary = createBoundary({ base: root, home: createHomeCheck([home, plain], root) });
  const filesOf = (path: string) =>
    [...openWalk({ name: "all", path, pattern: "**/*" }, boundary).filesBelow("")]
      .flat()
      .map((file) => file.path);
  expect(filesOf(papers)).toEqual(["a.md"]);
  expect(filesOf(home)).toEqual([]);
  const walk = openWalk({ name: "all", path: home, pattern: "secret" }, boundary);
  expect(walk.fileAt("secret")).toBeUndefined();
});

test("[core.boundary.home] a document folder below the home is accessible, and what is beside it is not", () => {
  const { root, home } = libraryWithHome();
  mkdirSync(join(home, "papers"));
  writeFileSync(join(home, "papers", "a.md"), "paper");
  writeFileSync(join(home, "token"), "secret words");
  const boundary = createBoundary({ base: root, home: createHomeCheck([home], root) });
  expect(boundary.resolvePath(join(home, "papers", "a.md"))).toBe(join(home, "papers", "a.md"));
  for (const name of ["token", "papers/../token", "papers/../secret", "nothing"]) {
    expect([name, codeOf(() => boundary.resolvePath(join(home, name)))]).toEqual([name, "in-home"]);
  }
});

test("[core.boundary.home] a home that is the served folder, and another server's home, protect their own files", () => {
  const { root, home } = libraryWithHome();
  writeFileSync(join(home, "notes.md"), "notes");
  for (const check of [createHomeCheck([home], home), createHomeCheck()]) {
    const boundary = createBoundary({ base: home, home: check });
    expect(boundary.readFile(join(home, "notes.md"), home)).toHaveLength(5);
    expect(boundary.entries(home).map(({ name }) => name)).toEqual(["models", "notes.md"]);
    for (const name of [...own, "login-codes", "login-codes/1f"]) {
      expect([name, codeOf(() => boundary.resolvePath(name))]).toEqual([name, "in-home"]);
      expect([name, codeOf(() => boundary.readFile(join(home, name), home))]).not.toEqual([
        name,
        "done",
      ]);
    }
    const directory = boundary.openDirectory(home);
    expect(codeOf(() => directory.write("secret", "forged"))).toBe("in-home");
    expect(codeOf(() => directory.rename("notes.md", "config.json"))).toBe("in-home");
    expect(codeOf(() => directory.openFolder("login-codes"))).toBe("in-home");
    expect(codeOf(() => directory.remove("lectern.sqlite"))).toBe("in-home");
    expect(directory.stat("secret")).toBeUndefined();
    directory.close();
  }
  expect(root).not.toBe(home);
});

test("[core.boundary.home] documents are created in a folder that is also the home", async () => {
  const { home } = libraryWithHome();
  const boundary = createBoundary({ base: home, home: createHomeCheck([home], home) });
  const { directory, name } = boundary.openParentDirectory("export.qdpx");
  await createFileAtomically(directory, name, (temporary) => directory.write(temporary, "codes"));
  const unfinished = temporaryName(".home");
  writeFileSync(join(home, unfinished), "configuration");
  const names = directory.entries().map((entry) => entry.name);
  expect(names).toContain("export.qdpx");
  expect(names).not.toContain(unfinished);
  directory.close();
});
