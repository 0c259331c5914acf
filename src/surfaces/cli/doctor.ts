import { filesOf } from "../../kernel/settings.ts";
import { printJson } from "./answer.ts";
import type { CommandContext } from "./command.ts";
import type { Check } from "./doctor-check.ts";
import { checkAll, readRoots } from "./doctor-checks.ts";
import { repairAll } from "./doctor-repairs.ts";
import { checkKept } from "./doctor-store.ts";
import { checkSurroundings } from "./doctor-surroundings.ts";
import { exitCodes } from "./exit-codes.ts";
import type { Colours } from "./screen.ts";

/** Checks the installation, after mending it where that was asked for. */
export async function examine(
  { repair }: { repair: boolean },
  context: CommandContext,
): Promise<number> {
  const { out, globals, settings, program, shelves } = context;
  const repairs = repair ? await repairAll(context) : [];
  const checks = [
    ...checkAll(settings, program),
    ...checkKept(filesOf(settings).store, { shelves, roots: readRoots(settings), program }),
    ...(await checkSurroundings(context)),
  ];
  const failed = checks.some(({ state }) => state === "fail");
  if (globals.json) {
    await printJson({ ok: !failed, checks, ...(repair && { repairs }) }, out);
  } else {
    const lines = [
      ...repairs.map((sentence) => `${out.colours.cyan("did")}   ${out.foreign(sentence)}`),
      ...checks.flatMap((check) => linesOf(check, out.colours, out.foreign)),
      verdict(checks),
    ];
    await out.write(`${lines.join("\n")}\n`);
  }
  return failed ? exitCodes.internal : 0;
}

function linesOf(check: Check, colours: Colours, foreign: (text: string) => string): string[] {
  const paint = { ok: colours.green, warn: colours.yellow, fail: colours.red }[check.state];
  const line = `${paint(check.state.padEnd(4))}  ${check.name.padEnd(nameWidth)}${foreign(check.says)}`;
  const remedy = check.remedy && `${" ".repeat(6 + nameWidth)}${foreign(check.remedy)}`;
  return remedy ? [line, remedy] : [line];
}

const nameWidth = 12;

function verdict(checks: readonly Check[]): string {
  const count = (state: Check["state"]) => checks.filter((check) => check.state === state).length;
  const [failed, warned] = [count("fail"), count("warn")];
  if (failed > 0) return `${failed} failed, ${warned} to look at.`;
  return warned > 0 ? `Nothing failed, ${warned} to look at.` : "All is well.";
}
