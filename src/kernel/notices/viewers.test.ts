import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../storage/database.ts";
import { migrate } from "../storage/migrations.ts";
import { openPageViewers, viewerTables } from "./viewers.ts";

test("[core.viewers.counted] pages of all processes are counted until they close or time out", () => {
  const db = openDatabase(":memory:");
  onTestFinished(() => db.close());
  migrate(db, [{ owner: "viewers", tables: viewerTables }]);
  let now = 1_000_000;
  const [one, other] = [openPageViewers(db, () => now), openPageViewers(db, () => now)];
  expect(one.count()).toBe(0);

  one.reportPages(2);
  other.reportPages(1);
  expect([one.count(), other.count()]).toEqual([3, 3]);
  one.reportPages(1);
  expect(other.count()).toBe(2);

  now += 60_000;
  one.reportPages(1);
  expect(other.count()).toBe(1);
  now -= 3_600_000;
  expect(other.count()).toBe(0);
  other.reportPages(4);
  expect(one.count()).toBe(4);
  other.reportPages(0);
  expect(one.count()).toBe(0);
});
