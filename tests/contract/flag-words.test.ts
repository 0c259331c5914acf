import { expect, test } from "vitest";
import { objectCommands } from "../../src/commands/objects/objects.ts";
import { bridgeCommand } from "../../src/commands/serving/bridge.ts";
import { mcpCommand } from "../../src/commands/serving/mcp.ts";
import { createCatalogue } from "../../src/kernel/operations/catalogue.ts";
import { shelves } from "../../src/shelves.ts";
import { builtInCommands } from "../../src/surfaces/cli/built-in-commands.ts";
import { createCommands } from "../../src/surfaces/cli/command.ts";

const program = [
  ...builtInCommands,
  mcpCommand,
  bridgeCommand("lectern.js"),
  ...objectCommands("objects "),
];
const commands = createCommands(createCatalogue(shelves), program);

test("[core.cli.flag-words] every flag and argument of every command has a description", () => {
  const undescribed = commands.flatMap(({ words, positionals, flags }) =>
    [...positionals, ...flags]
      .filter(({ description }) => description === "")
      .map(({ name }) => `${words.join(" ")} ${name}`),
  );

  expect(commands.length).toBeGreaterThan(100);
  expect(undescribed).toEqual([]);
});
