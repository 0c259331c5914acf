import * as z from "zod";
import { usualPort } from "./answer-flags.ts";
import { type ProgramCommand, programCommand } from "./command.ts";

/** What this surface brings itself. Each is loaded when it is asked for: searching needs none. */
export const ownCommands: readonly ProgramCommand[] = [
  programCommand({
    cli: "doctor",
    group: "care",
    summary: "Check this installation and say what to do about what is wrong.",
    input: z.object({
      repair: z
        .boolean()
        .default(false)
        .describe("Put damaged files aside, restore what has a backup, fill the index again"),
    }),
    run: async (input, context) => (await import("./doctor.ts")).examine(input, context),
  }),
  programCommand({
    cli: "init",
    group: "care",
    summary: "Tell the agents of this folder about Lectern, in its .mcp.json.",
    input: z.object({
      http: z
        .boolean()
        .default(false)
        .describe("Name a running 'lectern serve' instead of a command"),
      port: z.int().min(1).max(65_535).default(usualPort).describe("The port that it serves on"),
      force: z.boolean().default(false).describe("Replace an entry that says something else"),
      dryRun: z.boolean().default(false).describe("Show what would be written, and write nothing"),
    }),
    run: async (input, context) => (await import("./init.ts")).introduce(input, context),
  }),
  programCommand({
    cli: "completion <shell>",
    group: "help",
    summary: "Print a script that completes commands and flags in your shell.",
    input: z.object({ shell: z.enum(["bash", "zsh", "fish"]).describe("The shell it is for") }),
    async run({ shell }, { program, commands, out }) {
      const { completionScript } = await import("./completion.ts");
      await out.write(completionScript(shell, program, commands));
      return 0;
    },
  }),
  programCommand({
    cli: "man",
    group: "help",
    summary: "Print the manual page, for 'man -l -'.",
    input: z.object({}),
    async run(_input, context) {
      const { manPage } = await import("./man-page.ts");
      await context.out.write(manPage(context));
      return 0;
    },
  }),
  programCommand({
    cli: "help [topic...]",
    group: "help",
    summary: "Explain the program, a command, or 'exit-codes' and 'environment'.",
    input: z.object({
      topic: z.array(z.string()).default([]).describe("A command, 'exit-codes' or 'environment'"),
    }),
    async run({ topic }, context) {
      const { helpPage } = await import("./help.ts");
      await context.out.write(helpPage(topic, context));
      return 0;
    },
  }),
  programCommand({
    cli: "version",
    group: "help",
    summary: "Print the version.",
    input: z.object({}),
    async run(_input, { program, version, out }) {
      await out.write(`${program} ${version}\n`);
      return 0;
    },
  }),
];
