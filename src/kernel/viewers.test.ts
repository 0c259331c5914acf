import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "./database.ts";
import { migrate } from "./tables.ts";
import { openViewers, viewerTables } from "./viewers.ts";

test("[house.viewers.counted] pages of all processes are counted, until they leave or fall silent", () => {
  const db = openDatabase(":memory:");
  onTestFinished(() => db.close());
  migrate(db, [{ owner: "viewers", tables: viewerTables }]);
  let now = 1_000_000;
  const [one, other] = [openViewers(db, () => now), openViewers(db, () => now)];
  expect(one.count()).toBe(0);

  one.note(2);
  other.note(1);
  expect([one.count(), other.count()]).toEqual([3, 3]);
  one.note(1);
  expect(other.count()).toBe(2);

  now += 60_000;
  one.note(1);
  expect(other.count()).toBe(1);
  now -= 3_600_000;
  expect(other.count()).toBe(0);
  other.note(4);
  expect(one.count()).toBe(4);
  other.note(0);
  expect(one.count()).toBe(0);
});
