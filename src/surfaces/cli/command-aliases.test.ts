import { expect, test } from "vitest";
import * as z from "zod";
import { openCliLibrary, runCli } from "../../../tests/fixtures/library/cli-library.ts";
import { operationsFor } from "../../kernel/operation.ts";
import { createCatalogue } from "../../kernel/operations/catalogue.ts";
import { defineShelf } from "../../kernel/shelf.ts";
import { noTables } from "../../kernel/storage/migrations.ts";
import { createCommands, programCommand } from "./command.ts";

const operation = operationsFor<object>();

const find = operation({
  name: "find",
  title: "Find",
  summary: "Find pages.",
  input: z.object({
    query: z.string().describe("Words"),
    collection: z.string().optional().describe("Only this one").meta({ flag: false }),
    collections: z
      .array(z.string())
      .optional()
      .describe("Only these")
      .meta({ flag: "collection", short: "c", separator: "," }),
    pattern: z.string().optional().meta({ flag: "mask|glob" }),
    limit: z.int().default(10).meta({ short: "n" }),
    all: z.boolean().default(false),
  }),
  output: z.object({ input: z.unknown() }).meta({ json: "input" }),
  effect: "reads",
  expose: { cli: "find|look-up <query...>" },
  example: { query: "tea" },
  run: (input) => ({ input }),
});

const remove = operation({
  name: "remove",
  title: "Remove",
  summary: "Remove a page.",
  input: z.object({ path: z.string().meta({ path: true }) }),
  output: z.object({ path: z.string() }),
  effect: "deletes",
  expose: { cli: "page remove|rm <path>", http: "DELETE /pages/{path+}" },
  example: { path: "x" },
  run: (input) => input,
});

const shelf = defineShelf({
  name: "search",
  dialect: "qmd",
  guide: "",
  tables: noTables,
  operations: [find, remove],
  open: () => ({}),
});

const run = (argv: string[], options: Parameters<typeof runCli>[1] = {}) =>
  runCli(argv, { shelves: [shelf], openApp: openCliLibrary, ...options });

const read = async (...argv: string[]) => JSON.parse((await run([...argv, "--json"])).out);

test("[core.cli.aliases] a command can be called by any of its names", async () => {
  expect(await read("page", "remove", "a")).toEqual({ path: "a" });
  expect(await read("page", "rm", "a")).toEqual({ path: "a" });
  expect(await read("look-up", "tea")).toMatchObject({ query: "tea" });
});

test("[core.cli.aliases] help uses the first name, whichever was typed, and lists the others", async () => {
  const { out } = await run(["help"]);
  expect(out).toContain("page remove <path>");
  expect(out).toContain("(also 'page rm')");
  expect((await run(["help", "page", "rm"])).out).toBe((await run(["help", "page", "remove"])).out);
  expect((await run(["page", "rm", "--help"])).out).toContain("Usage: lectern page remove <path>");
  const { out: script } = await run(["completion", "bash"]);
  expect(script).toContain("'rm\tRemove a page'");
  expect(script).toContain("'page rm'");
});

test("[core.cli.aliases] a flag has aliases that help does not show", async () => {
  expect(await read("find", "tea", "--mask", "a")).toMatchObject({ pattern: "a" });
  expect(await read("find", "tea", "--glob=a")).toMatchObject({ pattern: "a" });
  expect((await run(["find", "--help"])).out).not.toContain("glob");
});

test("[core.cli.aliases] two commands with the same name fail at startup", () => {
  const twin = programCommand({
    cli: "page rm",
    group: "test",
    summary: "Twin.",
    input: z.object({}),
    run: () => 0,
  });
  expect(() => createCommands(createCatalogue([shelf]), [twin])).toThrow("page rm");
});

test("[core.cli.lists] a list flag can be repeated, and takes comma-separated values if its schema says so", async () => {
  for (const argv of [
    ["-c", "a", "-c", "b"],
    ["-c", "a,b"],
    ["--collection", "a", "--collection=b,"],
  ]) {
    expect(await read("find", "tea", ...argv)).toMatchObject({ collections: ["a", "b"] });
  }
  expect(await read("find", "-c", "a", "tea", "-n", "3", "leaves", "--all")).toEqual({
    query: "tea leaves",
    collections: ["a"],
    limit: 3,
    all: true,
  });
});

test("[core.cli.lists] a key that exists only in the API is not a flag, so its name is free", async () => {
  const { out } = await run(["find", "--help"]);
  expect(out.match(/--collection/g)).toHaveLength(1);
  expect(out).toMatch(/-c, --collection <text> +Only these \(repeatable\)/);
});

test("[core.cli.dashed-words] an argument that starts with a dash is refused, and the message suggests the intended command line", async () => {
  const refused = async (argv: string[], ...words: string[]) => {
    const { code, err } = await run(argv);
    expect(code).toBe(2);
    for (const word of words) expect(err).toContain(word);
  };
  await refused(["find", "tea", "-milk"], "Unknown flag '-milk'", "lectern find 'tea -milk'");
  await refused(["find", "-milk"], "lectern find -- -milk");
  await refused(["find", "tea", "-cake"], "lectern find 'tea -cake'", "-c ake");
  await refused(["find", "tea", "-nut"], "lectern find 'tea -nut'");
  await refused(["find", "tea", "-limit", "3"], "Did you mean '--limit'?");
  expect(await read("find", "tea -cake")).toMatchObject({ query: "tea -cake" });
  expect((await run(["find", "--json", "--", "tea", "-cake"])).out).toContain("tea -cake");
  expect(await read("find", "tea", "-n5", "-c=ake")).toMatchObject({
    limit: 5,
    collections: ["ake"],
  });
});

test("[core.cli.server-mode] a server receives absolute paths, and opens the files itself", async () => {
  const asked: unknown[] = [];
  const { code } = await run(["page", "rm", "a.md", "--root", "/there", "--mode", "server"], {
    openApp() {
      throw new Error("The library is not needed.");
    },
    async callServer({ operation }, input, { port, program }) {
      asked.push(operation.name, input, port, program);
      return { ok: true, value: input, input };
    },
  });
  expect([code, ...asked]).toEqual([0, "remove", { path: "/there/a.md" }, 18_765, "lectern"]);
});

test("[core.cli.server-mode] options without effect on a server are refused", async () => {
  const check = async (argv: string[], says: string) => {
    const { code, err } = await run(argv);
    expect([argv, code, err]).toEqual([argv, 2, expect.stringContaining(says)]);
  };
  await check(["page", "rm", "a", "--port", "8080"], "--mode server");
  await check(["page", "rm", "a", "--mode", "server", "--force-root", "."], "--force-root");
  await check(["find", "a", "--mode", "server"], "'find' does not accept --mode");
  await check(["page", "rm", "a", "--mode", "sever"], "Did you mean 'server'?");
  await check(["page", "rm", "a", "--mode", "server", "--port", "0"], "--port");
});
