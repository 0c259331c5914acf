import { utimesSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openFolders } from "../../tests/fixtures/watched-folders.ts";
import { advanceRevision, currentRevision, waitForRevision } from "./revision.ts";

test("[house.revision.counts] the revision grows by one with every change of the index, and with nothing else", async () => {
  const { put, move, remove, place, roots, open } = openFolders();
  const { db, intake } = open();
  const grown: number[] = [];
  const after = async (change: () => unknown) => {
    const before = currentRevision(db);
    await change();
    grown.push(currentRevision(db) - before);
  };
  put("notes/a.md", "one");
  put("notes/b.md", "two");
  await after(() => intake.scan(roots));
  await after(() => intake.scan(roots));
  utimesSync(place("notes/a.md"), 1, 1);
  await after(() => intake.scan(roots));
  move("notes/a.md", "notes/c.md");
  await after(() => intake.scan(roots));
  put("papers/c.md", "three");
  await after(() => intake.scan(roots));
  remove("notes/b.md");
  await after(() => intake.lookAt(roots, [place("notes/b.md")]));
  await after(() => intake.rename("papers", "other"));
  await after(() => intake.rename("papers", "other"));
  await after(() => intake.forgetAllBut(() => roots));
  await after(() => intake.forget("notes"));

  expect(grown).toEqual([1, 0, 0, 1, 1, 1, 1, 0, 1, 1]);
});

test("[house.revision.shared] every process of a home sees the same revision, and none that was rolled back", async () => {
  const { put, roots, open } = openFolders();
  const [ours, theirs] = [open(), open()];
  put("notes/a.md", "one");
  await ours.intake.scan(roots);
  expect(currentRevision(theirs.db)).toBe(1);

  const change = () =>
    ours.db.transaction(() => {
      advanceRevision(ours.db);
      throw new Error("no");
    });
  expect(change).toThrow("no");
  expect([currentRevision(ours.db), currentRevision(theirs.db)]).toEqual([1, 1]);
});

test("[house.revision.wait] a wait ends when another process has come so far, and at once where it has already", async () => {
  const { put, roots, open } = openFolders();
  const [ours, theirs] = [open(), open()];
  expect(await waitForRevision(ours.db, 0)).toBe(true);
  const waiting = waitForRevision(ours.db, 1);
  await sleep(50);
  put("notes/a.md", "one");
  await theirs.intake.scan(roots);

  expect(await waiting).toBe(true);
});

test("[house.revision.limit] a revision that never comes is waited for until the signal or the limit", async () => {
  const { db } = openFolders().open();
  expect(await waitForRevision(db, 7, { limitMs: 60 })).toBe(false);
  expect(await waitForRevision(db, 7, { signal: AbortSignal.timeout(60) })).toBe(false);
  expect(await waitForRevision(db, 7, { signal: AbortSignal.abort() })).toBe(false);
});
