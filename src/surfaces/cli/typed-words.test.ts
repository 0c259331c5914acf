import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { cliShelves } from "../../../tests/fixtures/cli-library.ts";
import { makeCatalogue } from "../../kernel/catalogue.ts";
import { readArguments } from "./arguments.ts";
import { commandsOf, nameOf } from "./command.ts";
import { quoted, typedCommand, typedFlags } from "./typed-words.ts";

const commands = commandsOf(makeCatalogue(cliShelves), []);
const find = commands.find((command) => nameOf(command) === "find");

test("flags that are typed out read back as they were", () => {
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
      const argv = ["find", ...typedFlags(find.flags, values), "--", words];
      const read = readArguments(argv, commands, "lectern").input;
      const defaults = { limit: 10, minScore: 0, exact: false, rerank: true };
      expect({ ...defaults, ...read }).toEqual({ ...defaults, ...values, words });
    }),
    { examples: [[{ globPattern: "-x", collections: ["--json"] }, "-5"]] },
  );
});

test("an example is a line that a shell reads as it was meant", () => {
  for (const [input, expected] of [
    [{ words: "blue whale", limit: 2 }, "lectern find 'blue whale' --limit 2"],
    [{ words: "-not", exact: true }, "lectern find --exact -- -not"],
    [{ words: "it's" }, "lectern find 'it'\\''s'"],
  ] as const) {
    if (find) expect(typedCommand("lectern", find, input)).toBe(expected);
  }
});

test("a quoted word comes through a real shell unchanged", () => {
  const words = ["", "a b", "it's", "$HOME `id` \\n", "*", "~", "#x", "a\nb", "-n", "é…"];
  const script = `printf '<%s>' ${words.map(quoted).join(" ")}`;
  const { stdout } = spawnSync("sh", ["-c", script], { encoding: "utf8" });
  expect(stdout).toBe(words.map((word) => `<${word}>`).join(""));
});
