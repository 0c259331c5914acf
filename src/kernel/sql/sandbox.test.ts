import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { childSource } from "../../../tests/child-source.ts";
import { filePart, objectsSet, sqlProgram } from "../../../tests/fixtures/sql/sql-set.ts";
import { childrenOf, isAlive, until } from "../../../tests/programs/process.ts";
import { Failure } from "../failure.ts";
import type { SqlAnswer, SqlDataset, SqlPart, SqlQuery } from "./dataset.ts";
import { openSqlSandbox, type QueryLimits, type SqlSandboxOptions } from "./sandbox.ts";

const endless =
  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) FROM n";

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0)) await clean();
});

function opened(options: SqlSandboxOptions = {}) {
  const sandbox = openSqlSandbox({ program: sqlProgram(), ...options });
  cleanups.push(() => sandbox.close());
  const set = objectsSet(5);
  return {
    sandbox,
    set,
    ask: (sql: string, changes: Partial<SqlQuery> = {}, limits: QueryLimits = {}) =>
      sandbox.query(set, { sql, limit: 200, offset: 0, ...changes }, limits),
    value: async (sql: string, of: SqlDataset = set) =>
      (await sandbox.query(of, { sql, limit: 1, offset: 0 })).rows[0]?.[0],
  };
}

const clientOf = (sender: string, peer = sender) => ({ sender, peer });

const failureOf = async (work: Promise<SqlAnswer>): Promise<Failure> => {
  const error = await work.catch((thrown: unknown) => thrown);
  if (error instanceof Failure) return error;
  throw new Error(`It did not fail as foreseen: ${JSON.stringify(error)}`);
};

test("[objects.sql.answer] columns keep their order and names, rows keep their order", async () => {
  const { ask } = opened();

  expect(await ask("SELECT __id, __line AS a, __kind AS a FROM objects WHERE __line < 5")).toEqual({
    columns: ["__id", "a", "a"],
    rows: [0, 1, 2, 3, 4].map((number) => [`lamp_${number}`, 3, "Lamp"]),
    remaining: 0,
    isCounted: true,
  });
  expect(await ask("SELECT __id AS gone FROM objects WHERE 0")).toMatchObject({
    columns: ["gone"],
    rows: [],
  });
});

test("[objects.sql.page] a page starts at the offset, and the remaining rows are counted", async () => {
  const { ask } = opened();
  const page = (limit: number, offset: number) =>
    ask("SELECT __id FROM objects WHERE __kind = 'Lamp' ORDER BY 1", { limit, offset });

  expect(await page(2, 1)).toMatchObject({ rows: [["lamp_1"], ["lamp_2"]], remaining: 2 });
  expect(await page(2, 3)).toMatchObject({ rows: [["lamp_3"], ["lamp_4"]], remaining: 0 });
  expect(await page(2, 9)).toMatchObject({ rows: [], remaining: 0, isCounted: true });
  expect(await page(0, 0)).toMatchObject({ columns: ["__id"], rows: [], remaining: 5 });
});

test("[objects.sql.endless-page] a page is returned even if the result never ends", async () => {
  const { ask, value } = opened();
  const numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n";

  const flowing = await ask(numbers, { limit: 2 });
  expect(flowing).toMatchObject({ rows: [[1], [2]], isCounted: false });
  expect(flowing.remaining).toBeGreaterThan(1000);
  const dry = await ask(`${numbers} WHERE i < 3`, { limit: 2 }, { deadlineMs: 1_000 });
  expect(dry).toEqual({ columns: ["i"], rows: [[1], [2]], remaining: 0, isCounted: false });
  expect(await value("SELECT count(*) FROM objects")).toBe(10);
});

test("[objects.sql.values] every value is converted to JSON without loss", async () => {
  const { ask } = opened();

  const { rows } = await ask(
    `SELECT 9007199254740991, 9007199254740993, -9223372036854775808, 1.5, 1e999, -1e999, NULL,
      x'00ff', '', 'ü🙂' || char(10)`,
  );
  expect(JSON.parse(JSON.stringify(rows))).toEqual([
    [
      9007199254740991,
      "9007199254740993",
      "-9223372036854775808",
      1.5,
      "Inf",
      "-Inf",
      null,
      "x'00ff'",
      "",
      "ü🙂\n",
    ],
  ]);
});

test("[objects.sql.syntax] a syntax error is reported with SQLite's message only", async () => {
  const { ask } = opened();
  const messageOf = async (sql: string) => {
    const { code, message } = await failureOf(ask(sql));
    return `${code}: ${message}`;
  };

  expect(await messageOf("SELCT 1")).toBe('invalid-argument: near "SELCT": syntax error');
  expect(await messageOf("SELECT * FROM nowhere")).toBe("invalid-argument: no such table: nowhere");
  expect(await messageOf("SELECT nope FROM objects")).toBe(
    "invalid-argument: no such column: nope",
  );
  expect(await messageOf("SELECT 'open")).toMatch(/^invalid-argument: unrecognized token/);
  expect(await messageOf("WITH a AS (SELECT 1)")).toBe("invalid-argument: incomplete input");
  expect(await messageOf("SELECT json_extract('{', '$')")).toBe("invalid-argument: malformed JSON");
  expect(await messageOf("SELECT pragma_x()")).toMatch(/^invalid-argument: /);
});

test("[objects.sql.deadline] a statement is stopped at its time limit, and the next one runs", async () => {
  const { ask, value } = opened();
  await value("SELECT 1");

  const failure = await failureOf(ask(endless, {}, { deadlineMs: 200 }));
  expect(failure).toMatchObject({
    kind: "unavailable",
    code: "timeout",
    message: "Stopped after 0.2 s.",
  });
  expect(failure.hints.join()).toContain("WHERE");
  expect(await value("SELECT count(*) FROM objects")).toBe(10);
});

test.each([
  "WITH RECURSIVE n(i, b) AS (SELECT 1, zeroblob(9000000) UNION SELECT i + 1, zeroblob(9000000 + i) FROM n) SELECT count(*) FROM n",
  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT * FROM n ORDER BY hex(zeroblob(3000000)) || i",
])("[objects.sql.memory] a statement that exceeds the memory limit is stopped: %s", async (sql) => {
  const { ask, value } = opened();

  expect(await failureOf(ask(sql, {}, { deadlineMs: 120_000 }))).toMatchObject({
    kind: "too-large",
    message: "The statement takes too much memory.",
  });
  expect(await value("SELECT count(*) FROM objects")).toBe(10);
});

test.each([
  "SELECT randomblob(100000000)",
  "SELECT group_concat(hex(zeroblob(1000000))) FROM objects, objects AS b",
  "SELECT replace(hex(zeroblob(10000)), '0', hex(zeroblob(10000)))",
])("[objects.sql.large-values] a value larger than 16 MB is refused: %s", async (sql) => {
  const { ask } = opened();

  expect(await failureOf(ask(sql))).toMatchObject({ kind: "too-large" });
});

test("[objects.sql.bytes] results larger than 8 MB are refused", async () => {
  const { ask } = opened();

  expect(await failureOf(ask("SELECT hex(zeroblob(1000000)) FROM objects"))).toMatchObject({
    kind: "too-large",
    message: "The rows take more than 8 MB.",
  });
});

test("[objects.sql.parts] a change is visible immediately, and unchanged parts are not loaded again", async () => {
  const { value } = opened();
  const asked: string[] = [];
  const entryOf = (key: string, part: SqlPart): [string, SqlPart] => [
    key,
    {
      version: part.version,
      rows() {
        asked.push(key);
        return part.rows();
      },
    },
  ];
  const parts = new Map([0, 1, 2].map((number) => entryOf(`${number}`, filePart(number))));
  const set = () => objectsSet(0, { parts });
  const states =
    "SELECT group_concat(data ->> 'state', ' ' ORDER BY __id) FROM objects WHERE __kind = 'Lamp'";

  expect(await value(states, set())).toBe("lit lit lit");
  parts.set(...entryOf("1", filePart(1, 2)));
  expect(await value(states, set())).toBe("lit new lit");
  parts.delete("0");
  expect(await value(states, set())).toBe("new lit");
  expect(await value("SELECT count(*) FROM edges", set())).toBe(2);
  parts.set(...entryOf("3", filePart(3)));
  expect(await value(states, set())).toBe("new lit lit");
  expect(asked).toEqual(["0", "1", "2", "1", "3"]);
});

test("[objects.sql.sets] datasets are separate, and an evicted one is sent again", async () => {
  const { value } = opened();
  const named = (number: number) => objectsSet(number, { name: `set ${number}` });

  for (let number = 1; number <= 12; number++) {
    expect(await value("SELECT count(*) FROM edges", named(number))).toBe(number);
  }
  expect(await value("SELECT count(*) FROM edges", named(1))).toBe(1);
});

test("[objects.sql.reshaped] a dataset whose tables changed is rebuilt", async () => {
  const { value } = opened();
  const parts = new Map([["a", { version: 1, rows: () => ({ lamps: [["red"]] }) }]]);
  const lamps = { name: "ws", tables: "CREATE TABLE lamps (colour)", indexes: "", parts };
  await value("SELECT 1");

  expect(await value("SELECT colour FROM lamps", lamps)).toBe("red");
});

test("[objects.sql.faulty-set] a dataset that does not match its description fails, and a valid one is loaded", async () => {
  const { value } = opened();
  const parts = new Map([["a", { version: 1, rows: () => ({ nothing: [["red"]] }) }]]);

  const broken: SqlPart = {
    version: 1,
    rows() {
      throw new Error("It cannot be read.");
    },
  };

  await expect(value("SELECT 1", objectsSet(0, { parts }))).rejects.toThrow("no table nothing");
  await expect(
    value("SELECT 1", objectsSet(0, { parts: new Map([["0", broken]]) })),
  ).rejects.toThrow("It cannot be read.");
  expect(await value("SELECT count(*) FROM edges")).toBe(5);
});

test("[objects.sql.order] a stuck statement delays later ones at most until its time limit", async () => {
  const { ask, value } = opened();
  const order: string[] = [];
  const noted = (name: string, work: Promise<unknown>) =>
    work.catch(() => undefined).then(() => order.push(name));

  await Promise.all([
    noted("first", value("SELECT 1")),
    noted("stuck", ask(endless, {}, { deadlineMs: 200 })),
    noted("third", value("SELECT 3")),
    noted("fourth", value("SELECT 4")),
  ]);
  expect(order).toEqual(["first", "stuck", "third", "fourth"]);
});

test("[objects.sql.fair] one client's statements do not delay another client", async () => {
  const { ask } = opened({ workers: 2 });
  const stuck = Array.from({ length: 3 }, () =>
    ask(endless, {}, { deadlineMs: 60_000, client: clientOf("greedy") }).catch(
      (error: Error) => error,
    ),
  );
  const answer = await ask("SELECT 1", {}, { client: clientOf("modest") });
  expect(answer.rows).toEqual([[1]]);
  for (const clean of cleanups.splice(0)) await clean();

  expect(await Promise.all(stuck)).toEqual(stuck.map(() => expect.any(Failure)));
});

test.each(["one user", "another user"])(
  "[objects.sql.flood] while one user has endless statements on many connections, a short one of %s is answered",
  async (sender) => {
    const { ask } = opened({ workers: 2 });
    const stuck = Array.from({ length: 6 }, (_, place) =>
      ask(endless, {}, { deadlineMs: 60_000, client: clientOf("one user", `${place}`) }),
    );
    const ends = Promise.allSettled(stuck);
    const answer = await ask("SELECT 1", {}, { client: clientOf(sender, "short") });
    expect(answer.rows).toEqual([[1]]);
    expect(await Promise.race([ends, "they go on"])).toBe("they go on");
    for (const clean of cleanups.splice(0)) await clean();
    await ends;
  },
);

test("[objects.sql.abort] aborting ends only the caller's own statement", async () => {
  const { ask, value } = opened();
  const running = new AbortController();
  const waiting = new AbortController();
  await value("SELECT 1");

  const stuck = ask(endless, {}, { deadlineMs: 60_000, signal: running.signal });
  const skipped = ask("SELECT 2", {}, { signal: waiting.signal });
  const served = value("SELECT 3");
  waiting.abort(new Error("not needed"));
  await expect(skipped).rejects.toThrow("not needed");
  running.abort(new Error("enough"));
  await expect(stuck).rejects.toThrow("enough");
  expect(await served).toBe(3);
  await expect(ask("SELECT 4", {}, { signal: running.signal })).rejects.toThrow("enough");
});

test("[objects.sql.life] the first statement starts the child process, and it exits when idle", async () => {
  const before = childrenOf(process.pid);
  const own = () => childrenOf(process.pid).filter((pid) => !before.includes(pid));
  const { ask, value } = opened({ idleMs: 50 });

  await failureOf(ask("DELETE FROM objects"));
  expect(own()).toEqual([]);
  await value("SELECT 1");
  await until(() => own().length === 0, "the idle child has ended");
  expect(await value("SELECT count(*) FROM objects")).toBe(10);
});

test("[objects.sql.killed] if the child process is killed, only its statement fails", async () => {
  const before = childrenOf(process.pid);
  const { ask, value } = opened();
  await value("SELECT 1");
  const [child] = childrenOf(process.pid).filter((pid) => !before.includes(pid));

  const lost = failureOf(ask(endless, {}, { deadlineMs: 60_000 }));
  process.kill(child ?? 0, "SIGKILL");
  expect(await lost).toMatchObject({ kind: "unavailable", code: "no-sql" });
  expect(await value("SELECT count(*) FROM objects")).toBe(10);
});

test("[objects.sql.close] closing ends running and queued statements", async () => {
  const { sandbox, ask, value } = opened();
  await value("SELECT 1");

  const failures = [endless, "SELECT 2"].map((sql) =>
    failureOf(ask(sql, {}, { deadlineMs: 60_000 })),
  );
  await sandbox.close();
  for (const failure of failures) expect(await failure).toMatchObject({ code: "no-sql" });
  expect(await failureOf(ask("SELECT 3"))).toMatchObject({ code: "no-sql" });
});

test("[objects.sql.orphan] a child process that is running a statement ends silently with its parent", async () => {
  const parent = spawn(
    process.execPath,
    [
      childSource(`
        import { openSqlSandbox } from "./src/kernel/sql/sandbox.ts";
        import { readFileSync } from "node:fs";
        const sandbox = openSqlSandbox({ program: ${JSON.stringify(sqlProgram())} });
        const set = { name: "a", tables: "CREATE TABLE a (b)", indexes: "", parts: new Map() };
        await sandbox.query(set, { sql: "SELECT 1", limit: 1, offset: 0 });
        sandbox.query(set, { sql: ${JSON.stringify(endless)}, limit: 1, offset: 0 }, { deadlineMs: 60_000 });
        const children = readFileSync("/proc/" + process.pid + "/task/" + process.pid + "/children", "utf8");
        setTimeout(() => process.stdout.write(children.trim() + "\\n"), 200);
      `),
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  let output = "";
  parent.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  await once(parent.stdout, "data");
  const child = Number(output);
  expect(isAlive(child)).toBe(true);
  parent.kill("SIGKILL");
  await once(parent, "exit");

  await until(() => !isAlive(child), "the child has ended");
  expect(output).toBe(`${child}\n`);
});
