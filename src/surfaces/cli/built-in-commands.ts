import * as z from "zod";
import { defaultPort } from "./arguments/result-flags.ts";
import { type ProgramCommand, programCommand } from "./command.ts";

/** The commands of this surface. Their modules are loaded on demand, to keep startup fast. */
export const builtInCommands: readonly ProgramCommand[] = [
  programCommand({
    cli: "doctor",
    group: "maintenance",
    summary: "Check this installation and suggest a fix for each problem.",
    input: z.object({
      repair: z
        .boolean()
        .default(false)
        .describe("Move damaged files aside, restore backups and rebuild the index"),
    }),
    run: async (input, context) => (await import("./doctor/doctor.ts")).runDoctor(input, context),
  }),
  programCommand({
    cli: "init",
    group: "maintenance",
    summary: "Add Lectern to the .mcp.json of this folder, for the agents that read it.",
    input: z.object({
      http: z
        .boolean()
        .default(false)
        .describe("Write the URL of a running 'lectern serve' instead of a command"),
      port: z.int().min(1).max(65_535).default(defaultPort).describe("Port of that server"),
      force: z.boolean().default(false).describe("Replace an existing entry that differs"),
      dryRun: z.boolean().default(false).describe("Show what would be written without writing it"),
      yes: z
        .boolean()
        .default(false)
        .describe("Index this folder too, without asking")
        .meta({ short: "y" }),
    }),
    run: async (input, context) => (await import("./init.ts")).addMcpEntry(input, context),
  }),
  programCommand({
    cli: "completion <shell>",
    group: "help",
    summary: "Print a script that completes commands and flags in a shell.",
    input: z.object({
      shell: z.enum(["bash", "zsh", "fish"]).describe("The shell to complete in"),
    }),
    async run({ shell }, { program, commands, out }) {
      const { completionScript } = await import("./completion/completion.ts");
      await out.write(completionScript(shell, program, commands));
      return 0;
    },
  }),
  programCommand({
    cli: "man",
    group: "help",
    summary: "Print the manual page; pipe it into 'man -l -'.",
    input: z.object({}),
    async run(_input, context) {
      const { manPage } = await import("./help/man-page.ts");
      await context.out.write(manPage(context));
      return 0;
    },
  }),
  programCommand({
    cli: "help [topic...]",
    group: "help",
    summary: "Show help about the program, a command, 'exit-codes' or 'environment'.",
    input: z.object({
      topic: z.array(z.string()).default([]).describe("A command, 'exit-codes' or 'environment'"),
    }),
    async run({ topic }, context) {
      const { helpPage } = await import("./help/help.ts");
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
