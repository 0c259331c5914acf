import { expect, test } from "vitest";
import { openDatabase } from "./database.ts";
import { insertRows } from "./insert-rows.ts";

test("any number of rows is inserted, in their order", () => {
  for (const count of [0, 1, 31, 32, 33, 100]) {
    const db = openDatabase(":memory:");
    db.exec("CREATE TABLE lamps (name TEXT, height REAL)");
    const rows = Array.from({ length: count }, (_, index) => [`lamp ${index}`, index / 2] as const);

    expect(insertRows(db, "INSERT INTO lamps (name, height)", rows)).toBe(count);
    const stored = db.all<{ name: string; height: number }>("SELECT * FROM lamps ORDER BY rowid");
    expect(stored.map(({ name, height }) => [name, height])).toEqual(rows);
  }
});

test("only inserted rows are counted", () => {
  const db = openDatabase(":memory:");
  db.exec("CREATE TABLE lamps (name TEXT PRIMARY KEY)");
  const rows = Array.from({ length: 40 }, (_, index) => [`lamp ${index % 35}`]);

  expect(insertRows(db, "INSERT OR IGNORE INTO lamps (name)", rows)).toBe(35);
  expect(insertRows(db, "INSERT OR IGNORE INTO lamps (name)", rows)).toBe(0);
});
