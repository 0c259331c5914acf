import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { runCli } from "../../../tests/fixtures/library/cli-library.ts";
import { openApp } from "../../kernel/runtime/app.ts";
import { createLog } from "../../kernel/runtime/log.ts";
import { shelves } from "../../shelves.ts";
import { evalCommand } from "./eval.ts";

afterEach(() => vi.unstubAllEnvs());

const open: Parameters<typeof evalCommand>[0] = (settings) =>
  openApp({
    shelves,
    settings,
    identity: { name: "lectern", title: "Lectern", version: "0.0.0" },
    log: createLog({ level: "error", write: (line) => process.stderr.write(line) }),
  });

/** A folder for sets, and another for temporary files of an evaluation. */
function place() {
  const cwd = mkdtempSync(join(tmpdir(), "lectern-eval-test-"));
  const scratch = join(cwd, "scratch");
  mkdirSync(scratch);
  vi.stubEnv("TMPDIR", scratch);
  return {
    leftBehind: () => readdirSync(scratch),
    write(files: Record<string, string>) {
      mkdirSync(join(cwd, "set"), { recursive: true });
      for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, "set", name), text);
    },
    run: (...argv: string[]) =>
      runCli(["eval", ...argv], {
        cwd,
        env: { LECTERN_HOME: join(cwd, "home") },
        shelves,
        commands: [evalCommand(open)],
        openApp: open,
      }),
  };
}

const rows = (...all: object[]): string => all.map((row) => JSON.stringify(row)).join("\n");

const set = {
  "corpus.jsonl": rows(
    { id: "a", title: "Lamp", text: "How the lamp is lit." },
    { id: "b", title: "Tower", text: "How the tower is painted." },
    { id: "c/d", title: "灯台", text: "灯台は古い" },
  ),
  "queries.jsonl": rows(
    { id: "q1", text: "lighting the lamp" },
    { id: "q2", text: "灯台" },
    { id: "q3", text: "lamp" },
    { id: "q4", text: "nobody judged this" },
  ),
  "qrels.tsv": "query-id\tcorpus-id\tscore\nq1\ta\t1\nq2\tc/d\t1\nq3\tb\t1\n",
};

test("a judged set is indexed, queried and measured, and leaves nothing behind", async () => {
  const { write, run, leftBehind } = place();
  write(set);
  const { code, out, err } = await run("set", "--json");

  expect(err).toBe("");
  expect(code).toBe(0);
  const [row, ...others] = JSON.parse(out);
  expect(others).toEqual([]);
  // The third question finds the lamp, but its judged answer is the tower.
  const share = expect.closeTo(2 / 3, 10);
  expect(row).toEqual({
    set: "set",
    by: "search",
    documents: 3,
    queries: 3,
    ndcg10: share,
    recall100: share,
    hit1: share,
  });
  expect(leftBehind()).toEqual([]);
});

test("the text output has one line per set", async () => {
  const { write, run } = place();
  write({
    ...set,
    "corpus.de.jsonl": set["corpus.jsonl"],
    "queries.de.jsonl": set["queries.jsonl"],
  });
  const line = (name: string) =>
    `${name}  nDCG@10 0.667  recall@100 0.667  hit@1 0.667  (3 queries)\n`;

  expect((await run("set")).out).toBe(line("set de") + line("set"));
  expect((await run("set", "--language", "de")).out).toBe(line("set de"));
});

test("a folder without a set, and a missing language, are reported", async () => {
  const { write, run } = place();
  expect(await run("nowhere")).toEqual({
    code: 3,
    out: "",
    err: "error: There is no judged set in that folder.\n  A set is corpus.jsonl, queries.jsonl and qrels.tsv.\n",
  });
  write(set);
  expect(await run("set", "--language", "fr")).toMatchObject({
    code: 3,
    err: expect.stringMatching("There is no set in that language in that folder."),
  });
  expect((await run("set", "--by", "magic")).code).toBe(2);
});

test("a query error has the search's message, and leaves nothing behind", async () => {
  const { write, run, leftBehind } = place();
  write({ ...set, "queries.jsonl": rows({ id: "q1", text: "lamp ".repeat(2_001) }) });

  const { code, err } = await run("set");
  expect(code).toBe(2);
  expect(err).toMatch("Invalid parameter 'query'");
  expect(leftBehind()).toEqual([]);
});

test("a set without judged questions is reported by name", async () => {
  const { write, run } = place();
  write({ ...set, "qrels.tsv": "query-id\tcorpus-id\tscore\n" });

  const { code, err } = await run("set");
  expect(code).not.toBe(0);
  expect(err).toMatch("No query of set has a judgement.");
});
