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
import { Failure } from "../failure.ts";
import { checksummedRowTables, hasDamagedRows } from "../integrity/checksummed-rows.ts";
import { openDatabase } from "../storage/database.ts";
import { migrate } from "../storage/migrations.ts";
import { runSteps } from "../storage/sqlite-store.ts";
import { createBoundary } from "./boundary.ts";
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
  migrate(db, [
    { owner: "private files", tables: privateFileTables },
    { owner: "seals", tables: checksummedRowTables },
  ]);
  const privateFiles = openPrivateFiles(db);
  return { root, db, privateFiles, boundary: createBoundary({ base: root, privateFiles }) };
}

function codeOf(work: () => unknown): string {
  try {
    return `entered ${work()}`;
  } catch (error) {
    if (error instanceof Failure) return `${error.code} ${error.kind}`;
    throw error;
  }
}

test("[core.boundary.projects] paths inside a project are refused the same way, whether they exist or not", () => {
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
      expect([given, codeOf(() => boundary.resolvePath(given))]).toEqual([
        given,
        "in-project forbidden",
      ]);
    }
  }
  expect(boundary.resolvePath("notes/a.md")).toBe(join(root, "notes", "a.md"));
  expect(boundary.unrestricted.resolvePath("plain/documents/talk.md")).toContain("talk.md");
  expect(codeOf(() => boundary.assertAllowed(join(root, "plain", "documents")))).toBe(
    "in-project forbidden",
  );
});

test("[core.boundary.projects] a project is opened by its folder or database, and no file in it is accessible", () => {
  const { root, boundary } = ground();
  for (const path of ["plain", "plain/data.qda", "Named.qda", "Named.qda/data.qda"]) {
    expect(boundary.resolveProjectPath(path)).toBe(join(root, path));
  }
  for (const path of ["plain/documents", "plain/documents/talk.md", "plain/documents/none.md"]) {
    expect(codeOf(() => boundary.resolveProjectPath(path))).toBe("not-found not-found");
  }
});

test("[core.boundary.projects] a project's folder appears empty, and a link into it is not listed", () => {
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

test("[core.boundary.private-files] a private file is missing under each of its names, until it is public again", () => {
  const { root, privateFiles, boundary } = ground();
  const file = join(root, "notes", "b.md");
  writeFileSync(file, "secret");
  linkSync(file, join(root, "hard.md"));
  symlinkSync(file, join(root, "soft.md"));
  const names = [file, join(root, "hard.md"), join(root, "soft.md")];
  const missing = codeOf(() => boundary.resolvePath("notes/none.md"));
  const listed = () => boundary.entries(root).map(({ name }) => name);
  const before = boundary.privacyVersion();
  for (const name of names) expect(boundary.readFile(name, root).toString()).toBe("secret");

  expect(privateFiles.replace("project", [file])).toEqual([file]);
  expect(boundary.privacyVersion()).not.toBe(before);
  for (const name of names) {
    expect([name, codeOf(() => boundary.resolvePath(name))]).toEqual([name, missing]);
    expect([name, codeOf(() => boundary.readFile(name, root))]).toEqual([name, missing]);
    expect(boundary.isHidden(name)).toBe(true);
  }
  expect(listed()).not.toContain("hard.md");
  expect(listed()).not.toContain("soft.md");
  expect(boundary.unrestricted.readFile(file, root).toString()).toBe("secret");
  renameSync(file, join(root, "notes", "moved.md"));
  expect(codeOf(() => boundary.resolvePath("notes/moved.md"))).toBe(missing);

  expect(privateFiles.replace("project", [])).toEqual([file]);
  expect(listed()).toEqual(expect.arrayContaining(["hard.md"]));
});

test("[core.boundary.private-files] a replaced file is private by its path alone", () => {
  const { root, privateFiles, boundary } = ground();
  const file = join(root, "notes", "b.md");
  writeFileSync(file, "secret");
  privateFiles.replace("project", [file]);
  writeFileSync(join(root, "notes", "new.md"), "secret, saved anew");
  renameSync(join(root, "notes", "new.md"), file);

  expect(boundary.isHidden(file)).toBe(true);
  rmSync(file);
  writeFileSync(join(root, "notes", "other.md"), "open");
  expect(boundary.isHidden(join(root, "notes", "other.md"))).toBe(false);
});

test("[core.store.protecting-rows] a private file stays hidden if its row is lost or altered", () => {
  const { root, db, privateFiles } = ground();
  const talk = join(root, "notes", "a.md");
  privateFiles.replace("one", [talk]);
  linkSync(talk, join(root, "notes", "twin.md"));
  for (const damage of [
    "DELETE FROM private_files",
    "UPDATE private_files SET path = '/elsewhere', inode = '1:1'",
  ]) {
    db.run(damage);
    const boundary = createBoundary({ base: root, privateFiles: openPrivateFiles(db) });
    for (const name of ["a.md", "twin.md"]) {
      const path = join(root, "notes", name);
      expect([damage, boundary.isHidden(path)]).toEqual([damage, true]);
      expect(codeOf(() => boundary.readFile(path, root))).toBe("not-found not-found");
    }
    // A project opened in between restores only its own row.
    expect(openPrivateFiles(db).replace("one", [talk])).toBeInstanceOf(Array);
    expect(db.all("SELECT path FROM private_files")).toEqual([{ path: talk }]);
    expect(runSteps(db, hasDamagedRows("private_files"))).toBe(false);
  }
  privateFiles.replace("one", []);
  const after = createBoundary({ base: root, privateFiles: openPrivateFiles(db) });
  expect(after.isHidden(talk)).toBe(false);
});
