import {
  filesIn,
  findingsIn,
  type Look,
  lintIn,
  wholeWorkspace,
} from "../shelves/objects/side-door.ts";
import type { CommandContext } from "../surfaces/cli/command.ts";
import { printJson } from "../text/objects/json.ts";
import type { Format } from "../text/objects/parse.ts";
import { writeFile } from "./object-texts.ts";

export async function parseWorkspace(
  { path, format, output }: { path: string; format: Format; output?: string | undefined },
  context: CommandContext,
): Promise<number> {
  const workspace = await wholeWorkspace(lookFrom(context, path), format);
  const text = `${printJson(workspace, { pretty: true })}\n`;
  if (output === undefined) await context.out.writeForeign(text);
  else await writeFile(context, output, text);
  return 0;
}

export async function validateWorkspace(
  { path }: { path: string },
  context: CommandContext,
): Promise<number> {
  const findings = await findingsIn(lookFrom(context, path));
  await context.out.writeForeign(`${printJson(findings, { pretty: true })}\n`);
  return findings.length > 0 ? 1 : 0;
}

export async function listFiles(
  { path }: { path: string },
  context: CommandContext,
): Promise<number> {
  await printLines(await filesIn(lookFrom(context, path)), context);
  return 0;
}

export async function lint({ path }: { path: string }, context: CommandContext): Promise<number> {
  const lines = await lintIn(lookFrom(context, path));
  await printLines(lines, context);
  return lines.length > 0 ? 1 : 0;
}

export const lookFrom = ({ cwd, settings }: CommandContext, path: string): Look => ({
  path,
  cwd,
  forceRoot: settings.forceRoot,
});

const printLines = (lines: readonly string[], { out }: CommandContext): Promise<void> =>
  out.writeForeign(lines.map((line) => `${line}\n`).join(""));
