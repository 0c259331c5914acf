import { expect, test } from "vitest";
import { describeEveryStore } from "../../../tests/fixtures/stores/every-store.ts";
import {
  all,
  dialect,
  get,
  inNumbers,
  insertAll,
  inTexts,
  run,
  runForEach,
  type Steps,
  snapshot,
  transaction,
} from "./steps.ts";

const tables = `
  CREATE TABLE lamps (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, height REAL, image BLOB);`;

describeEveryStore(tables, (openStore) => {
  function* add(name: string, height: number | null = null): Steps<number> {
    const row = yield* get<{ id: number }>(
      "INSERT INTO lamps (name, height) VALUES (?, ?) RETURNING id",
      name,
      height,
    );
    return row?.id ?? 0;
  }
  function* names(): Steps<string[]> {
    const rows = yield* all<{ name: string }>("SELECT name FROM lamps ORDER BY name");
    return rows.map(({ name }) => name);
  }

  test("[scale.steps.values] numbers, text, bytes and null have the same values in every store", async () => {
    const store = await openStore();
    const image = new Uint8Array([0, 1, 255]);
    const row = await store.run(
      (function* () {
        const id = yield* add("Eddystone – 燈", 41.5);
        yield* run("UPDATE lamps SET image = ? WHERE id = ?", image, id);
        return yield* get<{ height: number; image: Uint8Array; itsName: string; none: null }>(
          `SELECT height, image, name AS "itsName", NULL AS none FROM lamps WHERE id = ?1`,
          id,
        );
      })(),
    );
    expect(row && { ...row, image: [...row.image] }).toEqual({
      height: 41.5,
      image: [0, 1, 255],
      itsName: "Eddystone – 燈",
      none: null,
    });
  });

  test("[scale.steps.lists] conditions for lists, optional parameters and byte order", async () => {
    const store = await openStore();
    const result = await store.run(
      (function* () {
        const ids: number[] = [];
        for (const name of ["b", "a", "Z", "ä"]) ids.push(yield* add(name));
        const byId = yield* all<{ name: string }>(
          `SELECT name FROM lamps WHERE id ${inNumbers("?1")} ORDER BY name`,
          JSON.stringify(ids.slice(0, 2)),
        );
        const optional = `SELECT name FROM lamps WHERE name ${inTexts("?1")} OR ?1 IS NULL ORDER BY name`;
        return {
          byId: byId.map(({ name }) => name),
          some: (yield* all<{ name: string }>(optional, '["Z","?"]')).length,
          every: (yield* all<{ name: string }>(optional, null)).length,
          order: yield* names(),
          changes: yield* run("UPDATE lamps SET height = 1 WHERE name > ?", "Z"),
        };
      })(),
    );
    expect(result).toEqual({
      byId: ["a", "b"],
      some: 1,
      every: 4,
      order: ["Z", "a", "b", "ä"],
      changes: 3,
    });
  });

  test("[scale.steps.rows] many rows are written at once, with the same values", async () => {
    const store = await openStore();
    const names = Array.from({ length: 70 }, (_, number) => `lamp ${number} – \\ "燈"`);
    const height = 123456 / 7891;
    const image = new Uint8Array([0, 1, 255]);
    const rows = await store.run(
      (function* () {
        yield* insertAll("INSERT INTO lamps (name, height, image)", []);
        yield* insertAll(
          "INSERT INTO lamps (name, height, image)",
          names.map((name) => [name, height, image]),
        );
        yield* runForEach(
          {
            sqlite: "UPDATE lamps SET height = ? WHERE name = ?",
            postgres: `UPDATE lamps SET height = (value->>0)::double precision
              FROM jsonb_array_elements(?::jsonb) WHERE name = value->>1`,
          },
          [
            [height / 3, names[0] ?? ""],
            [null, names[1] ?? ""],
          ],
        );
        return yield* all<{ name: string; height: number | null; image: Uint8Array }>(
          "SELECT name, height, image FROM lamps ORDER BY id",
        );
      })(),
    );
    expect(rows.map(({ name }) => name)).toEqual(names);
    expect(rows.slice(0, 3).map((row) => row.height)).toEqual([height / 3, null, height]);
    expect([...(rows[69]?.image ?? [])]).toEqual([0, 1, 255]);
  });

  test("[scale.steps.transactions] a failed transaction leaves nothing, a nested one can fail alone", async () => {
    const store = await openStore();
    const failing = function* (name: string): Steps<void> {
      yield* add(name);
      throw new Error(`no ${name}`);
    };
    await expect(async () => store.run(transaction(() => failing("first")))).rejects.toThrow(
      "no first",
    );
    await store.run(
      transaction(function* () {
        yield* add("outer");
        try {
          yield* transaction(() => failing("inner"));
        } catch {}
        yield* add("after");
      }),
    );
    expect(await store.run(names())).toEqual(["after", "outer"]);
    expect(await store.run(snapshot(names))).toEqual(["after", "outer"]);
  });

  test("[scale.steps.dialect] steps can ask which store runs them", async () => {
    const store = await openStore();
    expect(await store.run(dialect())).toBe(store.dialect);
  });

  test("[scale.steps.errors] the error of a statement can be caught where it was yielded", async () => {
    const store = await openStore();
    const outcome = await store.run(
      (function* () {
        yield* add("one");
        try {
          yield* add("one");
          return "added twice";
        } catch (error) {
          return /unique/i.test(String(error)) ? "refused" : String(error);
        }
      })(),
    );
    expect(outcome).toBe("refused");
  });

  test("[scale.steps.writers] concurrent transactions run one after the other", async () => {
    const store = await openStore();
    const id = await store.run(add("counter", 0));
    const increment = () =>
      store.run(
        transaction(function* () {
          const row = yield* get<{ height: number }>("SELECT height FROM lamps WHERE id = ?", id);
          yield* run("UPDATE lamps SET height = ? WHERE id = ?", (row?.height ?? 0) + 1, id);
        }),
      );
    await Promise.all(Array.from({ length: 20 }, increment));
    const row = await store.run(get<{ height: number }>("SELECT height FROM lamps"));
    expect(row?.height).toBe(20);
  });
});
