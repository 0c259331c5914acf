import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openConfigFile } from "../home/config.ts";
import { openDatabase } from "../storage/database.ts";
import { runSteps } from "../storage/sqlite-store.ts";

function openHome() {
  const folder = mkdtempSync(join(tmpdir(), "lectern-held-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const home = join(folder, "home");
  mkdirSync(home);
  const store = join(home, "lectern.sqlite");
  const db = openDatabase(store);
  onTestFinished(() => db.close());
  db.exec("CREATE TABLE letters (text TEXT)");
  db.run("INSERT INTO letters VALUES ('kept')");
  const texts = () => db.all<{ text: string }>("SELECT text FROM letters").map(({ text }) => text);
  return { home, store, db, texts };
}

test.each<[string, (place: ReturnType<typeof openHome>) => void]>([
  ["is removed", ({ home }) => rmSync(home, { recursive: true })],
  ["is moved away", ({ home }) => renameSync(home, `${home}-elsewhere`)],
  [
    "is replaced by a copy",
    ({ home }) => {
      cpSync(home, `${home}-copy`, { recursive: true });
      renameSync(home, `${home}-before`);
      renameSync(`${home}-copy`, home);
    },
  ],
  ["loses its store", ({ store }) => rmSync(store)],
  ["loses the log of its store", ({ store }) => rmSync(`${store}-wal`)],
])("[core.store.gone] once the home %s, writes are refused, and reads go on", (_, harm) => {
  const place = openHome();
  const { db, texts } = place;
  expect(db.isInPlace()).toBe(true);
  harm(place);
  expect(db.isInPlace()).toBe(false);
  for (const write of [
    () => db.run("INSERT INTO letters VALUES ('lost')"),
    () => db.transaction(() => db.run("INSERT INTO letters VALUES ('lost')")),
  ]) {
    expect(write).toThrow(expect.objectContaining({ code: "home-gone", kind: "unavailable" }));
  }
  expect(texts()).toEqual(["kept"]);
});

test("[core.store.gone] a store deleted during a transaction does not acknowledge the write", () => {
  const { db, home, texts } = openHome();
  const write = () =>
    db.transaction(() => {
      db.run("INSERT INTO letters VALUES ('lost')");
      rmSync(home, { recursive: true });
    });
  expect(write).toThrow(expect.objectContaining({ code: "home-gone" }));
  expect(texts()).toEqual(["kept"]);
});

test("[core.store.gone] a store that other processes write, empty and close stays where it is", () => {
  const { db, store, texts } = openHome();
  const other = openDatabase(store);
  other.run("INSERT INTO letters VALUES ('theirs')");
  other.truncateLog();
  other.vacuum();
  other.close();
  db.run("INSERT INTO letters VALUES ('ours')");
  db.vacuum();
  db.truncateLog();
  expect(db.isInPlace()).toBe(true);
  expect(texts()).toEqual(["kept", "theirs", "ours"]);
});

test("[core.config.gone] if the configuration is deleted while in use, it stays in effect and is not overwritten", () => {
  const { home, db } = openHome();
  const path = join(home, "config.json");
  const config = openConfigFile(path);
  const add = (name: string) =>
    runSteps(
      db,
      config.update((draft) => {
        draft.contexts[name] = "words";
      }),
    );
  add("one");
  expect(Object.keys(config.read().contexts)).toEqual(["one"]);
  rmSync(path);
  expect(config.isGone()).toBe(true);
  expect(Object.keys(config.read().contexts)).toEqual(["one"]);
  expect(() => add("two")).toThrow(expect.objectContaining({ code: "config-gone" }));
  writeFileSync(path, '{ "contexts": { "other": "words" } }');
  expect(config.isGone()).toBe(false);
  add("two");
  expect(Object.keys(config.read().contexts)).toEqual(["other", "two"]);
});
