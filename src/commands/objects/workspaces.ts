import {
  dumpWorkspace,
  lintWorkspace,
  listDiagnosticRecords,
  listWorkspaceFiles,
  type WorkspaceLocation,
} from "../../shelves/objects/cli-api.ts";
import type { CommandContext } from "../../surfaces/cli/command.ts";
import type { DetailLevel } from "../../text/objects/parse-objects.ts";
import { formatJson } from "../../text/objects/values/json.ts";
import { writeOutputFile } from "./texts.ts";

export async function parseWorkspace(
  { path, format, output }: { path: string; format: DetailLevel; output?: string | undefined },
  context: CommandContext,
): Promise<number> {
  const workspace = await dumpWorkspace(workspaceQueryFor(context, path), format);
  const text = `${formatJson(workspace, { pretty: true })}\n`;
  if (output === undefined) await context.out.writeSanitized(text);
  else await writeOutputFile(context, output, text);
  return 0;
}

export async function validateWorkspace(
  { path }: { path: string },
  context: CommandContext,
): Promise<number> {
  const findings = await listDiagnosticRecords(workspaceQueryFor(context, path));
  await context.out.writeSanitized(`${formatJson(findings, { pretty: true })}\n`);
  return findings.length > 0 ? 1 : 0;
}

export async function listFilesCommand(
  { path }: { path: string },
  context: CommandContext,
): Promise<number> {
  await printLines(await listWorkspaceFiles(workspaceQueryFor(context, path)), context);
  return 0;
}

export async function lintCommand(
  { path }: { path: string },
  context: CommandContext,
): Promise<number> {
  const lines = await lintWorkspace(workspaceQueryFor(context, path));
  await printLines(lines, context);
  return lines.length > 0 ? 1 : 0;
}

export const workspaceQueryFor = (
  { cwd, settings }: CommandContext,
  path: string,
): WorkspaceLocation => ({
  path,
  cwd,
  forceRoot: settings.forceRoot,
});

const printLines = (lines: readonly string[], { out }: CommandContext): Promise<void> =>
  out.write(lines.map((line) => `${out.sanitize(line)}\n`).join(""));
