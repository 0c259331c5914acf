import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { createBoundary } from "../../../kernel/paths/boundary.ts";
import { backUpProject, locateProject } from "./project-location.ts";

test("[qualitative.project.backup-names] two concurrent first writes create separate backups, of a folder and of a file", () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "lectern-place-")));
  mkdirSync(join(root, "talks.qda"));
  for (const file of ["talks.qda/data.qda", "alone.qda"]) writeFileSync(join(root, file), "x");
  const boundary = createBoundary({ base: root });
  const now = new Date("2026-01-02T03:04:05.999Z");
  const namesOf = (project: string) =>
    [1, 2].map(() =>
      backUpProject(boundary, locateProject(boundary, project), now, (copy) => {
        // SQLite writes a copy only to an empty file.
        expect(statSync(copy).size).toBe(0);
        writeFileSync(copy, "copy");
      }),
    );

  const folders = namesOf("talks.qda");
  expect(folders.map((path) => basename(dirname(path)))).toEqual([
    "talks_BKUP_20260102_030405_999.qda",
    "talks_BKUP_20260102_030406_0.qda",
  ]);
  const alone = namesOf("alone.qda");
  expect(new Set(alone.map((path) => basename(path))).size).toBe(2);
  expect([...folders, ...alone].map((path) => readFileSync(path, "utf8"))).toEqual(
    Array.from({ length: 4 }, () => "copy"),
  );
});

test("[qualitative.project.backup-names] a failed backup leaves nothing beside the project", () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "lectern-place-")));
  writeFileSync(join(root, "alone.qda"), "x");
  const boundary = createBoundary({ base: root });
  const failing = (): void => {
    throw new Error("The disk is full.");
  };

  expect(() =>
    backUpProject(boundary, locateProject(boundary, "alone.qda"), new Date(), failing),
  ).toThrow("The disk is full.");
  expect(readdirSync(root)).toEqual(["alone.qda"]);
});
