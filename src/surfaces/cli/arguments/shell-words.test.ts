import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { cliShelves } from "../../../../tests/fixtures/library/cli-library.ts";
import { createCatalogue } from "../../../kernel/operations/catalogue.ts";
import { createCommands, fullCommandName } from "../command.ts";
import { parseArguments } from "./argument-parser.ts";
import { exampleCommandLine, flagWords, shellQuote } from "./shell-words.ts";

const commands = createCommands(createCatalogue(cliShelves), []);
const find = commands.find((command) => fullCommandName(command) === "find");

test("printed flags parse back to the same values", () => {
  if (!find) throw new Error("The fixture has lost its command.");
  const input = fc.record(
    {
      limit: fc.integer({ min: 1, max: 100 }),
      minScore: fc.double({ min: 0, max: 1, noNaN: true }).map((score) => score + 0),
      collections: fc.array(fc.string(), { minLength: 1 }),
      format: fc.constantFrom("text", "csv"),
      exact: fc.boolean(),
      rerank: fc.boolean(),
      globPattern: fc.string(),
      filter: fc.dictionary(fc.string(), fc.string()),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(input, fc.string({ minLength: 1 }), (values, words) => {
      const argv = ["find", ...flagWords(find.flags, values), "--", words];
      const read = parseArguments(argv, commands, "lectern").input;
      const defaults = { limit: 10, minScore: 0, exact: false, rerank: true };
      expect({ ...defaults, ...read }).toEqual({ ...defaults, ...values, words });
    }),
    { examples: [[{ globPattern: "-x", collections: ["--json"] }, "-5"]] },
  );
});

test("an example is a valid shell line with the intended meaning", () => {
  for (const [input, expected] of [
    [{ words: "blue whale", limit: 2 }, "lectern find 'blue whale' --limit 2"],
    [{ words: "-not", exact: true }, "lectern find --exact -- -not"],
    [{ words: "it's" }, "lectern find 'it'\\''s'"],
  ] as const) {
    if (find) expect(exampleCommandLine("lectern", find, input)).toBe(expected);
  }
});

test("a quoted word passes through a real shell unchanged", () => {
  const words = ["", "a b", "it's", "$HOME `id` \\n", "*", "~", "#x", "a\nb", "-n", "é…"];
  const script = `printf '<%s>' ${words.map(shellQuote).join(" ")}`;
  const { stdout } = spawnSync("sh", ["-c", script], { encoding: "utf8" });
  expect(stdout).toBe(words.map((word) => `<${word}>`).join(""));
});
