import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { Failure } from "../../../src/kernel/failure.ts";
import { type Database, openDatabase } from "../../../src/kernel/storage/database.ts";
import { shelves } from "../../../src/shelves.ts";
import { checkStoreContents } from "../../../src/surfaces/cli/doctor/store-checks.ts";
import { randomNumbers } from "../../fixtures/random-numbers.ts";
import { sample } from "../../journeys/program.ts";
import type { Campaign, Round, RoundReport } from "../campaign.ts";
import { filesBelow } from "../files-below.ts";
import { openInProcessApp } from "../in-process-app.ts";

/** Alters or deletes single values, rows or tables, in ways that SQLite itself cannot detect. */
export const rows: Campaign = {
  name: "rows",
  unit: "damaged rows",
  counts: { ci: 150, default: 600, long: 6_000 },
  roundOf: 150,
  concurrency: 1,
  round: damageRows,
};

type Answers = Record<string, unknown>;

async function damageRows({ seed, count }: Round): Promise<RoundReport> {
  const random = randomNumbers(seed);
  const tempFolder = mkdtempSync(join(tmpdir(), "lectern-rows-"));
  const pathOf = (name: string) => join(tempFolder, name);
  const home = pathOf("home");
  const report: RoundReport = { done: {}, losses: [] };
  try {
    const small = await createStore(pathOf("small"), 0);
    const large = await createStore(pathOf("large"), manyNotes);
    const damages = shuffled(possibleDamages(small.home), random);
    for (let number = 0; number < count; number++) {
      const damage = damages[number % damages.length] as RowDamage;
      rmSync(home, { recursive: true, force: true });
      // In a large store an update compares everything only if the doctor has requested it.
      const { home: intactHome, root, answers } = number % 5 === 4 ? large : small;
      const damagedHome = intactHome === large.home || number % 2 === 0 ? home : pathOf("examined");
      cpSync(intactHome, home, { recursive: true });
      if (!applyDamage(home, damage, random)) continue;
      const name = `${damage.table}: ${damage.name}`;
      if (damagedHome !== home) {
        rmSync(damagedHome, { recursive: true, force: true });
        cpSync(home, damagedHome, { recursive: true });
      }
      const outcome = await judge({ home, damagedHome, root }, answers);
      report.done[outcome.verdict] = (report.done[outcome.verdict] ?? 0) + 1;
      report.losses.push(...outcome.losses.map((loss) => `${name}: ${loss}`));
    }
  } finally {
    rmSync(tempFolder, { recursive: true, force: true });
  }
  return report;
}

/** With thirty sections each they exceed the number compared by one update. */
const manyNotes = 150;

async function createStore(tempFolder: string, notes: number) {
  const [home, root] = [join(tempFolder, "home"), join(tempFolder, "library")];
  mkdirSync(home, { recursive: true });
  cpSync(sample, root, { recursive: true });
  const section = (part: number) => `## Part ${part}\n\n${"pebble ".repeat(60)}\n`;
  const text = Array.from({ length: 30 }, (_, part) => section(part)).join("\n");
  for (let note = 0; note < notes; note++) writeFileSync(join(root, `z${note}.md`), text);
  // Files written just now would be read again anyway.
  for (const path of filesBelow(root)) utimesSync(join(root, path), 1, 1);
  return { home, root, answers: await fillHome(home, root) };
}

async function fillHome(home: string, root: string): Promise<Answers> {
  const { call, close } = openInProcessApp(home, root);
  try {
    await call("add_collection", { path: root, name: "sample" });
    await call("propose-decision", { kind: "new", title: "Keep the lamp lit" });
    // The second run finds no change, and caches the folder's state.
    for (let turn = 0; turn < 2; turn++) await call("update_collections");
    return await answersOf(call);
  } finally {
    await close();
  }
}

const questions: Record<string, [name: string, input: object]> = {
  word: ["search", { query: "harbour", limit: 50 }],
  typo: ["search", { query: "harbuor", limit: 50 }],
  phrase: ["search", { query: '"the harbour"', limit: 50 }],
  filter: ["search", { query: "lamp", limit: 50, where: ["tags exists"] }],
  get: ["get", { file: "sample/handbook/welcome.md" }],
  documents: ["list_documents", {}],
  proposals: ["proposals", { status: "all" }],
  activity: ["activity", {}],
};

async function answersOf(call: ReturnType<typeof openInProcessApp>["call"]): Promise<Answers> {
  const answers: Answers = {};
  for (const [question, [name, input]] of Object.entries(questions)) {
    answers[question] = await call(name, input).catch((error: unknown) => error);
  }
  return answers;
}

interface RowDamage {
  table: string;
  name: string;
  column?: string;
  rows: "one" | "all";
}

/** Every table with rows, in every way. */
function possibleDamages(home: string): RowDamage[] {
  return withStore(home, (db) =>
    db
      .all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'")
      .map(({ name }) => name)
      .filter((name) => !/^(sqlite_|migrations$)/.test(name))
      .filter((table) => db.get(`SELECT 1 FROM ${table} LIMIT 1`))
      .flatMap((table): RowDamage[] => [
        { table, name: "a row is lost", rows: "one" },
        { table, name: "all rows are lost", rows: "all" },
        ...db
          .all<{ name: string }>("SELECT name FROM pragma_table_info(?)", table)
          .map(({ name }) => ({
            table,
            name: `${name} is altered`,
            column: name,
            rows: "one" as const,
          })),
      ]),
  );
}

function applyDamage(
  home: string,
  { table, column, rows: rowSet }: RowDamage,
  random: () => number,
): boolean {
  return withStore(home, (db) => {
    const { count } = db.get<{ count: number }>(`SELECT count(*) AS count FROM ${table}`) ?? {
      count: 0,
    };
    const keys = db
      .all<{ name: string }>("SELECT name FROM pragma_table_info(?) WHERE pk > 0", table)
      .map(({ name }) => name);
    const key = keys.length > 0 ? keys.join(", ") : "rowid";
    const where =
      rowSet === "all"
        ? "true"
        : `(${key}) IN (SELECT ${key} FROM ${table} LIMIT 1 OFFSET ${Math.floor(random() * count)})`;
    const altered = `CASE typeof(${column})
        WHEN 'integer' THEN ${column} + ${1 + Math.floor(random() * 1_000)}
        WHEN 'real' THEN ${column} + 1
        WHEN 'blob' THEN zeroblob(length(${column}))
        WHEN 'null' THEN 'something'
        ELSE substr(${column}, 2) || 'x' END`;
    try {
      db.exec("PRAGMA foreign_keys = OFF");
      db.exec(
        column === undefined
          ? `DELETE FROM ${table} WHERE ${where}`
          : `UPDATE ${table} SET ${column} = ${altered} WHERE ${where}`,
      );
      return true;
    } catch {
      // Another row has this value already.
      return false;
    }
  });
}

async function judge(
  { home, damagedHome, root }: { home: string; damagedHome: string; root: string },
  correct: Answers,
) {
  const problems = integrityProblems(damagedHome, root);
  const { call, close } = openInProcessApp(home, root);
  const losses: string[] = [];
  try {
    const actual = await answersOf(call);
    const isWrong = (question: string) => !isDeepStrictEqual(actual[question], correct[question]);
    const bad = Object.keys(questions).filter(isWrong);
    for (const question of bad) {
      const answer = actual[question];
      if (answer instanceof Error && !(answer instanceof Failure)) {
        losses.push(`${question} failed: ${String(answer)}`);
      } else if (!(answer instanceof Error) && problems.length === 0 && !isIncomplete(answer)) {
        losses.push(`${question} is wrong, and the doctor finds nothing`);
      }
    }
    await call("update_collections").catch((error: unknown) => {
      losses.push(`update failed: ${String(error)} ${String((error as Error).cause)}`);
    });
    const healed = await answersOf(call);
    for (const question of Object.keys(questions)) {
      if (!isDeepStrictEqual(healed[question], correct[question])) {
        losses.push(`after update ${question}: ${JSON.stringify(healed[question])?.slice(0, 200)}`);
      }
    }
    const verdict =
      problems.length === 0
        ? "harmless"
        : bad.length === 0
          ? "found by the doctor"
          : "found, and seen";
    return {
      verdict,
      losses: [...losses, ...integrityProblems(home, root).map((problem) => `left: ${problem}`)],
    };
  } finally {
    await close();
  }
}

/** Whether an answer says that documents may be missing from it. */
const isIncomplete = (answer: unknown): boolean => {
  const { notes = [] } = Object(answer) as { notes?: { kind: string }[] };
  return notes.some(({ kind }) => kind === "incomplete");
};

const integrityProblems = (home: string, root: string): string[] =>
  checkStoreContents(join(home, "lectern.sqlite"), {
    shelves,
    roots: [{ name: "sample", path: root, pattern: "**/*.md" }],
    program: "lectern",
  })
    .filter(({ state }) => state === "fail")
    .map(({ says: problem }) => problem);

function withStore<Result>(home: string, callback: (db: Database) => Result): Result {
  const db = openDatabase(join(home, "lectern.sqlite"));
  try {
    return callback(db);
  } finally {
    db.close();
  }
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}
