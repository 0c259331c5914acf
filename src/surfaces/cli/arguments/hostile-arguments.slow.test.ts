import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { runCli } from "../../../../tests/fixtures/library/cli-library.ts";
import { exitCodeMeanings } from "../exit-codes.ts";

const shared = fileURLToPath(
  new URL("../../../../../shared/data/bad-input/strings/blns.json", import.meta.url),
);

const own = [
  "",
  " ",
  "-",
  "--",
  "---",
  "-0",
  "--=",
  "--no-",
  "NaN",
  "0x1F",
  "1e400",
  "ÅΩ≈ç",
  "🐎".repeat(300),
]
  .concat([
    "\0",
    "\u001b[31m",
    "\r\n",
    "$(id)",
    "`id`",
    "'; DROP TABLE x",
    "../../etc/passwd",
    "\ud800",
  ])
  .concat(["__proto__", "constructor", "%s%s%n", "<script>", "{}", "[[", "true", "\u202eabc"]);

const naughty: string[] = existsSync(shared) ? JSON.parse(readFileSync(shared, "utf8")) : own;
const source = existsSync(shared) ? `${naughty.length} naughty strings` : "our own naughty strings";

/** `init` writes to the current folder, and fuzzing may call it. */
const cwd = mkdtempSync(join(tmpdir(), "lectern-hostile-"));
const env = { LECTERN_HOME: join(cwd, "home") };
const known = exitCodeMeanings.map(([code]) => code);

async function survives(argv: string[]) {
  const { code, err, out } = await runCli(argv, { cwd, env });
  expect(known).toContain(code);
  expect(code, `${JSON.stringify(argv)} ${err}`).not.toBe(1);
  expect(err).not.toMatch(/\n +at /);
  return { code, out, err };
}

test(`[core.cli.hostile] ${source} are returned unchanged as words`, async () => {
  for (const text of [...naughty, ...own]) {
    const { code, out } = await survives(["echo", "--json", "--", text]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({ document: text });
  }
});

test(`[core.cli.hostile] ${source} are refused or accepted in every position`, async () => {
  for (const text of [...naughty, ...own]) {
    await survives([text]);
    await survives([text, "find", "a"]);
    await survives(["find", text]);
    await survives(["find", "a", "--limit", text]);
    await survives(["find", "a", `--format=${text}`]);
    await survives(["find", "a", `--${text}`]);
    await survives(["find", "a", `-${text}`]);
    await survives(["find", "a", "--filter", text]);
    await survives(["help", text]);
    await survives(["find", "a", "--shelves", text]);
  }
});

test("[core.cli.hostile] no command line crashes the program", async () => {
  const word = fc.oneof(
    fc.constantFrom("find", "book", "add", "move", "echo", "fail", "thing", "list", "help", "man"),
    fc.constantFrom(
      "--limit",
      "--min-score=0.5",
      "--json",
      "--no-color",
      "-n",
      "-x",
      "--",
      "--filter",
    ),
    fc.constantFrom(
      "--shelves",
      "search",
      "--root",
      "--read-only",
      "-h",
      "-v",
      "completion",
      "bash",
    ),
    fc.constantFrom("not-found", "unforeseen", "5", "{}", "init", "--dry-run", "--log-level"),
    fc.string(),
    fc.string({ unit: "binary" }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(word, { maxLength: 8 }), fc.boolean(), async (argv, terminal) => {
      const { code, err } = await runCli(argv, { cwd, env, terminal });
      expect(known).toContain(code);
      // Only the operation that fails on purpose exits with 1.
      if (code === 1) expect(argv.some((typed) => /unforeseen/.test(typed))).toBe(true);
      expect(err).not.toMatch(/\n +at /);
      return true;
    }),
    { numRuns: 1_500 },
  );
});

test("a very long argument is answered quickly and not repeated in full", async () => {
  const long = "x".repeat(100_000);
  for (const argv of [[long], ["find", "a", `--${long}`], ["find", "a", "--limit", long]]) {
    const { code, err } = await survives(argv);
    expect(code).toBe(2);
    expect(err.length).toBeLessThan(1_000);
  }
});
