import { expect, test } from "vitest";
import { cliShelves } from "../../../../tests/fixtures/library/cli-library.ts";
import { Failure } from "../../../kernel/failure.ts";
import { createCatalogue } from "../../../kernel/operations/catalogue.ts";
import { builtInCommands } from "../built-in-commands.ts";
import { createCommands, fullCommandName } from "../command.ts";
import { parseArguments } from "./argument-parser.ts";

const commands = createCommands(createCatalogue(cliShelves), builtInCommands);

const read = (line: string | string[]) =>
  parseArguments(Array.isArray(line) ? line : line.split(" ").filter(Boolean), commands, "lectern");

const reads = (line: string | string[], input: Record<string, unknown>) =>
  expect(read(line).input).toEqual(input);

function refuses(line: string | string[], ...words: (string | RegExp)[]) {
  let failure: unknown;
  try {
    read(line);
  } catch (error) {
    failure = error;
  }
  expect(failure).toBeInstanceOf(Failure);
  if (!(failure instanceof Failure)) return;
  expect(failure.kind).toBe("invalid");
  for (const word of words) expect(failure.explanation).toMatch(word);
}

test("[core.cli.flags] a variadic positional joins the remaining words", () => {
  reads("find blue whale", { words: "blue whale" });
  reads("find blue --limit 3 whale", { words: "blue whale", limit: 3 });
});

test("[core.cli.flags] keys in camelCase and snake_case are flags in kebab-case", () => {
  reads("find a --min-score 0.5", { words: "a", minScore: 0.5 });
  reads("find a --min-score=.5", { words: "a", minScore: 0.5 });
  reads("find a --book-id 12", { words: "a", book_id: "12" });
  reads("find a --mask **/*.md", { words: "a", globPattern: "**/*.md" });
});

test("[core.cli.flags] switches can be turned on and off, and lists repeated", () => {
  reads("find a --exact --no-rerank", { words: "a", exact: true, rerank: false });
  reads("find a --exact=false", { words: "a", exact: false });
  reads("find a -c one --collections two", { words: "a", collections: ["one", "two"] });
});

test("[core.cli.flags] short flags take a separate or attached value, and can be combined", () => {
  reads("find a -n 5", { words: "a", limit: 5 });
  reads("find a -n5", { words: "a", limit: 5 });
  reads("find a -n=5", { words: "a", limit: 5 });
  reads("find a -xn5", { words: "a", exact: true, limit: 5 });
});

test("the last of a repeated flag wins, so an alias can be overridden", () => {
  reads("find a -n 5 -n 6", { words: "a", limit: 6 });
});

test("a record is given as JSON", () => {
  reads(["find", "a", "--filter", '{"lang":"en"}'], { words: "a", filter: { lang: "en" } });
  refuses("find a --filter {oops", "--filter needs JSON");
  refuses(["find", "a", "--filter", '{"n":1}'], "--filter at n");
});

test("two dashes end the flags, and a lone dash or a negative number is a word", () => {
  reads("find -- --limit 3", { words: "--limit 3" });
  reads("find a -- --", { words: "a --" });
  reads("find - -5", { words: "- -5" });
});

test("[core.cli.global-flags] global flags are accepted before, between and after the other arguments", () => {
  for (const line of [
    "--json --root /x book move there",
    "book --json --root=/x move there",
    "book move there --root /x --json",
  ]) {
    const { command, globals, input } = read(line);
    expect(command && fullCommandName(command)).toBe("book move");
    expect(globals).toMatchObject({ json: true, root: "/x" });
    expect(input).toEqual({ to: "there" });
  }
});

test("an optional positional yields to a required one after it", () => {
  reads("book move there", { to: "there" });
  reads("book move here there", { from: "here", to: "there" });
});

test("[core.cli.unknown] an unknown flag is refused, and the closest name is suggested", () => {
  refuses("find a --limt 3", "Unknown flag '--limt'", "Did you mean '--limit'?");
  refuses("find a --limit-=3", "Unknown flag '--limit-'");
  refuses("find a --no-limit", "Unknown flag '--no-limit'");
  refuses("find a -z", "Unknown flag '-z'", "put -- before it");
  refuses("--limit 3 find a", "Unknown flag '--limit' before a command", "after its name");
  refuses("--jsn find a", "Did you mean '--json'?");
  refuses("find a --exact=maybe", "--exact takes no value");
});

test("[core.cli.unknown] an unknown command is refused, and the closest name is suggested", () => {
  refuses("fnd a", "Unknown command 'fnd'", "Did you mean 'find'?");
  refuses("book ad x", "Unknown command 'book ad'", "Did you mean 'book add'?", "book move");
  refuses("boook", "Did you mean 'book'?");
  refuses("find", "Missing <words>", "Words to look for");
  refuses("thing list extra", "Unexpected argument 'extra'");
});

test("[core.cli.values] choices are case-insensitive", () => {
  expect(read("find a --format CSV").input).toMatchObject({ format: "csv" });
});

test("[core.cli.values] an invalid value is refused under the flag name that was typed", () => {
  refuses("find a --limit many", "--limit needs a whole number, not 'many'");
  refuses("find a --limit 1.5", "--limit needs a whole number, not '1.5'");
  refuses("find a --limit 0x10", "--limit needs a whole number");
  refuses("find a --limit 1e999", "--limit needs a whole number");
  refuses("find a --limit 0", /--limit: .*1/);
  refuses("find a --min-score 2", /--min-score: .*1/);
  refuses("find a --min-score NaN", "--min-score needs a number");
  refuses(
    "find a --format csvv",
    "--format must be one of text, csv, not 'csvv'",
    "Did you mean 'csv'?",
  );
  refuses("find a --limit", "--limit needs a value");
  refuses("find a --collections --json", "--collections needs a value", "--collections=--json");
  refuses("completion tcsh", "<shell> must be one of bash, zsh, fish");
  refuses(["find", ""], "<words>");
});

test("a missing required flag is named", () => {
  refuses("book add x", "Missing --pages");
});

test("help needs no other argument", () => {
  expect(read("find --help")).toMatchObject({ globals: { help: true }, path: ["find"] });
  expect(read("book -h")).toMatchObject({ globals: { help: true }, path: ["book"] });
});
