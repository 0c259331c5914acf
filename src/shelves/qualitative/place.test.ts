import { mkdirSync, mkdtempSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { makeBoundary } from "../../kernel/boundary.ts";
import { backupOf, placeOf } from "./place.ts";

test("[qualitative.project.backup-names] two first writes of one moment have a backup each, of a folder and of a file", () => {
  const root = mkdtempSync(join(tmpdir(), "lectern-place-"));
  mkdirSync(join(root, "talks.qda"));
  for (const file of ["talks.qda/data.qda", "alone.qda"]) writeFileSync(join(root, file), "x");
  const boundary = makeBoundary({ base: root });
  const now = new Date("2026-01-02T03:04:05.999Z");
  const namesOf = (project: string) =>
    [1, 2].map(() => backupOf(boundary, placeOf(boundary, project), now));

  expect(namesOf("talks.qda").map((path) => basename(dirname(path)))).toEqual([
    "talks_BKUP_20260102_030405_999.qda",
    "talks_BKUP_20260102_030406_0.qda",
  ]);
  const alone = namesOf("alone.qda");
  expect(new Set(alone.map((path) => basename(path))).size).toBe(2);
  // SQLite writes a copy into a file only while that is empty.
  expect(alone.map((path) => statSync(path).size)).toEqual([0, 0]);
});
