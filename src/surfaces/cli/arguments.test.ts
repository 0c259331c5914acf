import { expect, test } from "vitest";
import { cliShelves } from "../../../tests/fixtures/cli-library.ts";
import { makeCatalogue } from "../../kernel/catalogue.ts";
import { Failure } from "../../kernel/failure.ts";
import { readArguments } from "./arguments.ts";
import { commandsOf, nameOf } from "./command.ts";
import { ownCommands } from "./own-commands.ts";

const commands = commandsOf(makeCatalogue(cliShelves), ownCommands);

const read = (line: string | string[]) =>
  readArguments(Array.isArray(line) ? line : line.split(" ").filter(Boolean), commands, "lectern");

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

test("[house.cli.flags] a positional with dots joins the words that remain", () => {
  reads("find blue whale", { words: "blue whale" });
  reads("find blue --limit 3 whale", { words: "blue whale", limit: 3 });
});

test("[house.cli.flags] keys in camelCase and snake_case are flags in kebab-case", () => {
  reads("find a --min-score 0.5", { words: "a", minScore: 0.5 });
  reads("find a --min-score=.5", { words: "a", minScore: 0.5 });
  reads("find a --book-id 12", { words: "a", book_id: "12" });
  reads("find a --mask **/*.md", { words: "a", globPattern: "**/*.md" });
});

test("[house.cli.flags] switches are turned on and off, and lists grow by repeating", () => {
  reads("find a --exact --no-rerank", { words: "a", exact: true, rerank: false });
  reads("find a --exact=false", { words: "a", exact: false });
  reads("find a -c one --collections two", { words: "a", collections: ["one", "two"] });
});

test("[house.cli.flags] short flags take a value behind them or attached, and join", () => {
  reads("find a -n 5", { words: "a", limit: 5 });
  reads("find a -n5", { words: "a", limit: 5 });
  reads("find a -n=5", { words: "a", limit: 5 });
  reads("find a -xn5", { words: "a", exact: true, limit: 5 });
});

test("the last of a repeated flag counts, so an alias can be overruled", () => {
  reads("find a -n 5 -n 6", { words: "a", limit: 6 });
});

test("a record is typed as JSON", () => {
  reads(["find", "a", "--filter", '{"lang":"en"}'], { words: "a", filter: { lang: "en" } });
  refuses("find a --filter {oops", "--filter needs JSON");
  refuses(["find", "a", "--filter", '{"n":1}'], "--filter at n");
});

test("two dashes end the flags, and a lone dash or a negative number is a word", () => {
  reads("find -- --limit 3", { words: "--limit 3" });
  reads("find a -- --", { words: "a --" });
  reads("find - -5", { words: "- -5" });
});

test("[house.cli.global-flags] global flags stand before, between and behind", () => {
  for (const line of [
    "--json --root /x book move there",
    "book --json --root=/x move there",
    "book move there --root /x --json",
  ]) {
    const { command, globals, input } = read(line);
    expect(command && nameOf(command)).toBe("book move");
    expect(globals).toMatchObject({ json: true, root: "/x" });
    expect(input).toEqual({ to: "there" });
  }
});

test("an optional positional gives way to a required one behind it", () => {
  reads("book move there", { to: "there" });
  reads("book move here there", { from: "here", to: "there" });
});

test("[house.cli.unknown] an unknown flag is refused with the nearest name", () => {
  refuses("find a --limt 3", "Unknown flag '--limt'", "Did you mean --limit?");
  refuses("find a --limit-=3", "Unknown flag '--limit-'");
  refuses("find a --no-limit", "Unknown flag '--no-limit'");
  refuses("find a -z", "Unknown flag '-z'", "put -- before it");
  refuses("--limit 3 find a", "Unknown flag '--limit' before a command", "stand behind its name");
  refuses("--jsn find a", "Did you mean --json?");
  refuses("find a --exact=maybe", "--exact takes no value");
});

test("[house.cli.unknown] an unknown command is refused with the nearest name", () => {
  refuses("fnd a", "Unknown command 'fnd'", "Did you mean 'find'?");
  refuses("book ad x", "Unknown command 'book ad'", "Did you mean 'book add'?", "book move");
  refuses("boook", "Did you mean 'book'?");
  refuses("find", "Missing <words>", "Words to look for");
  refuses("thing list extra", "Unexpected argument 'extra'");
});

test("[house.cli.values] a choice is known in capitals too", () => {
  expect(read("find a --format CSV").input).toMatchObject({ format: "csv" });
});

test("[house.cli.values] wrong values are refused by the name that was typed", () => {
  refuses("find a --limit many", "--limit needs a whole number, not 'many'");
  refuses("find a --limit 1.5", "--limit needs a whole number, not '1.5'");
  refuses("find a --limit 0x10", "--limit needs a whole number");
  refuses("find a --limit 1e999", "--limit needs a whole number");
  refuses("find a --limit 0", /--limit: .*1/);
  refuses("find a --min-score 2", /--min-score: .*1/);
  refuses("find a --min-score NaN", "--min-score needs a number");
  refuses("find a --format csvv", "--format is one of text, csv, not 'csvv'", "Did you mean csv?");
  refuses("find a --limit", "--limit needs a value");
  refuses("find a --collections --json", "--collections needs a value", "--collections=--json");
  refuses("completion tcsh", "<shell> is one of bash, zsh, fish");
  refuses(["find", ""], "<words>");
});

test("a required flag that is missing is named", () => {
  refuses("book add x", "Missing --pages");
});

test("help needs no other argument", () => {
  expect(read("find --help")).toMatchObject({ globals: { help: true }, path: ["find"] });
  expect(read("book -h")).toMatchObject({ globals: { help: true }, path: ["book"] });
});
