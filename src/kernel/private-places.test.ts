import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeBoundary } from "./boundary.ts";
import { openDatabase } from "./database.ts";
import { Failure } from "./failure.ts";
import { openPrivateFiles, privateFileTables } from "./private-files.ts";

/** A folder with notes and two projects: one by its name, one only by its database. */
function ground() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "lectern-private-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const project of ["Named.qda", "plain"]) {
    mkdirSync(join(root, project, "documents"), { recursive: true });
    writeFileSync(join(root, project, "data.qda"), "SQLite format 3\0");
    writeFileSync(join(root, project, "documents", "talk.md"), "secret");
  }
  mkdirSync(join(root, "notes"));
  writeFileSync(join(root, "notes", "a.md"), "open");
  const db = openDatabase(":memory:");
  onTestFinished(() => db.close());
  if (privateFileTables.kind === "authored")
    for (const step of privateFileTables.steps) db.exec(step);
  const privateFiles = openPrivateFiles(db);
  return { root, privateFiles, boundary: makeBoundary({ base: root, privateFiles }) };
}

function codeOf(work: () => unknown): string {
  try {
    return `entered ${work()}`;
  } catch (error) {
    if (error instanceof Failure) return `${error.code} ${error.kind}`;
    throw error;
  }
}

test("[house.boundary.projects] what lies in a project is refused in one way, whether it exists or not", () => {
  const { root, boundary } = ground();
  symlinkSync(join(root, "plain", "documents"), join(root, "alias"));
  symlinkSync(join(root, "plain", "documents", "talk.md"), join(root, "innocent.md"));
  symlinkSync(join(root, "plain", "documents", "none.md"), join(root, "dangling.md"));
  const inside = ["Named.qda", "plain"].flatMap((project) =>
    [
      "",
      "/documents",
      "/documents/",
      "/documents//talk.md",
      "/documents/talk.md",
      "/documents/none.md",
      "/documents/../documents/talk.md",
      "/DOCUMENTS/talk.md",
      "/none/at/all.md",
      "/data.qda",
    ].map((path) => project + path),
  );
  for (const path of [
    ...inside,
    "alias",
    "alias/talk.md",
    "alias/none.md",
    "innocent.md",
    "dangling.md",
  ]) {
    for (const given of [path, join(root, path)]) {
      expect([given, codeOf(() => boundary.enter(given))]).toEqual([given, "in-project forbidden"]);
    }
  }
  expect(boundary.enter("notes/a.md")).toBe(join(root, "notes", "a.md"));
  expect(boundary.unrestricted.enter("plain/documents/talk.md")).toContain("talk.md");
  expect(codeOf(() => boundary.admit(join(root, "plain", "documents")))).toBe(
    "in-project forbidden",
  );
});

test("[house.boundary.projects] a project itself is entered by its folder or its database, and no file in it", () => {
  const { root, boundary } = ground();
  for (const path of ["plain", "plain/data.qda", "Named.qda", "Named.qda/data.qda"]) {
    expect(boundary.enterProject(path)).toBe(join(root, path));
  }
  for (const path of ["plain/documents", "plain/documents/talk.md", "plain/documents/none.md"]) {
    expect(codeOf(() => boundary.enterProject(path))).toBe("not-found not-found");
  }
});

test("[house.boundary.projects] a project's folder seems empty, and a link into one is not listed", () => {
  const { root, boundary } = ground();
  symlinkSync(join(root, "plain", "documents", "talk.md"), join(root, "notes", "innocent.md"));
  const names = (folder: string) => boundary.entries(join(root, folder)).map(({ name }) => name);

  expect(names("plain")).toEqual([]);
  expect(names("Named.qda")).toEqual([]);
  expect(names("notes")).toEqual(["a.md"]);
  expect(codeOf(() => boundary.readFile(join(root, "notes", "innocent.md"), root))).toBe(
    "not-found not-found",
  );
  expect(codeOf(() => boundary.readFile(join(root, "plain", "documents", "talk.md"), root))).toBe(
    "not-found not-found",
  );
});

test("[house.boundary.private-files] a private file is missing under each of its names, until it is public again", () => {
  const { root, privateFiles, boundary } = ground();
  const file = join(root, "notes", "b.md");
  writeFileSync(file, "secret");
  linkSync(file, join(root, "hard.md"));
  symlinkSync(file, join(root, "soft.md"));
  const names = [file, join(root, "hard.md"), join(root, "soft.md")];
  const missing = codeOf(() => boundary.enter("notes/none.md"));
  const listed = () => boundary.entries(root).map(({ name }) => name);
  const before = boundary.privacyVersion();
  for (const name of names) expect(boundary.readFile(name, root).toString()).toBe("secret");

  expect(privateFiles.replace("project", [file])).toEqual([file]);
  expect(boundary.privacyVersion()).not.toBe(before);
  for (const name of names) {
    expect([name, codeOf(() => boundary.enter(name))]).toEqual([name, missing]);
    expect([name, codeOf(() => boundary.readFile(name, root))]).toEqual([name, missing]);
    expect(boundary.hides(name)).toBe(true);
  }
  expect(listed()).not.toContain("hard.md");
  expect(listed()).not.toContain("soft.md");
  expect(boundary.unrestricted.readFile(file, root).toString()).toBe("secret");
  renameSync(file, join(root, "notes", "moved.md"));
  expect(codeOf(() => boundary.enter("notes/moved.md"))).toBe(missing);

  expect(privateFiles.replace("project", [])).toEqual([file]);
  expect(listed()).toEqual(expect.arrayContaining(["hard.md"]));
});

test("[house.boundary.private-files] a file that another one replaced is private by its path alone", () => {
  const { root, privateFiles, boundary } = ground();
  const file = join(root, "notes", "b.md");
  writeFileSync(file, "secret");
  privateFiles.replace("project", [file]);
  writeFileSync(join(root, "notes", "new.md"), "secret, saved anew");
  renameSync(join(root, "notes", "new.md"), file);

  expect(boundary.hides(file)).toBe(true);
  rmSync(file);
  writeFileSync(join(root, "notes", "other.md"), "open");
  expect(boundary.hides(join(root, "notes", "other.md"))).toBe(false);
});
