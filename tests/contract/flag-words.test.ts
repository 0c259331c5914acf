import { expect, test } from "vitest";
import { bridge } from "../../src/commands/bridge.ts";
import { mcp } from "../../src/commands/mcp.ts";
import { objectCommands } from "../../src/commands/objects.ts";
import { makeCatalogue } from "../../src/kernel/catalogue.ts";
import { shelves } from "../../src/shelves.ts";
import { commandsOf } from "../../src/surfaces/cli/command.ts";
import { ownCommands } from "../../src/surfaces/cli/own-commands.ts";

const program = [...ownCommands, mcp, bridge("lectern.js"), ...objectCommands("objects ")];
const commands = commandsOf(makeCatalogue(shelves), program);

test("[house.cli.flag-words] every flag and argument of every command says what it means", () => {
  const silent = commands.flatMap(({ words, positionals, flags }) =>
    [...positionals, ...flags]
      .filter(({ about }) => about === "")
      .map(({ name }) => `${words.join(" ")} ${name}`),
  );

  expect(commands.length).toBeGreaterThan(100);
  expect(silent).toEqual([]);
});
