import { utimesSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openFolders } from "../../../tests/fixtures/files/watched-folders.ts";
import { openSqliteStore, runSteps } from "../storage/sqlite-store.ts";
import { incrementRevision, readRevision, waitForRevision } from "./revision.ts";

test("[core.revision.counts] the revision increases by one with each change of the index, and only then", async () => {
  const { put, move, remove, place, roots, open } = openFolders();
  const { db, indexer } = open();
  const grown: number[] = [];
  const after = async (change: () => unknown) => {
    const before = runSteps(db, readRevision());
    await change();
    grown.push(runSteps(db, readRevision()) - before);
  };
  put("notes/a.md", "one");
  put("notes/b.md", "two");
  await after(() => indexer.scan(roots));
  await after(() => indexer.scan(roots));
  utimesSync(place("notes/a.md"), 1, 1);
  await after(() => indexer.scan(roots));
  move("notes/a.md", "notes/c.md");
  await after(() => indexer.scan(roots));
  put("papers/c.md", "three");
  await after(() => indexer.scan(roots));
  remove("notes/b.md");
  await after(() => indexer.indexPaths(roots, [place("notes/b.md")]));
  await after(() => runSteps(db, indexer.renameRoot("papers", "other")));
  await after(() => runSteps(db, indexer.renameRoot("papers", "other")));
  await after(() =>
    runSteps(
      db,
      indexer.removeUnconfigured(() => roots),
    ),
  );
  await after(() => runSteps(db, indexer.removeRoot("notes")));

  expect(grown).toEqual([1, 0, 0, 1, 1, 1, 1, 0, 1, 1]);
});

test("[core.revision.shared] all processes of a home see the same revision, and never one that was rolled back", async () => {
  const { put, roots, open } = openFolders();
  const [ours, theirs] = [open(), open()];
  put("notes/a.md", "one");
  await ours.indexer.scan(roots);
  expect(runSteps(theirs.db, readRevision())).toBe(1);

  const change = () =>
    ours.db.transaction(() => {
      runSteps(ours.db, incrementRevision());
      throw new Error("no");
    });
  expect(change).toThrow("no");
  expect([runSteps(ours.db, readRevision()), runSteps(theirs.db, readRevision())]).toEqual([1, 1]);
});

test("[core.revision.wait] a wait ends when another process reaches the revision, or immediately if it is already reached", async () => {
  const { put, roots, open } = openFolders();
  const [ours, theirs] = [open(), open()];
  expect(await waitForRevision(openSqliteStore(ours.db), 0)).toBe(true);
  const waiting = waitForRevision(openSqliteStore(ours.db), 1);
  await sleep(50);
  put("notes/a.md", "one");
  await theirs.indexer.scan(roots);

  expect(await waiting).toBe(true);
});

test("[core.revision.limit] waiting for a revision ends at the abort signal or the time limit", async () => {
  const { db } = openFolders().open();
  expect(await waitForRevision(openSqliteStore(db), 7, { limitMs: 60 })).toBe(false);
  expect(await waitForRevision(openSqliteStore(db), 7, { signal: AbortSignal.timeout(60) })).toBe(
    false,
  );
  expect(await waitForRevision(openSqliteStore(db), 7, { signal: AbortSignal.abort() })).toBe(
    false,
  );
});
