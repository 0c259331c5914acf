import { homeFiles } from "../../../kernel/home/settings.ts";
import { createHomeCheck } from "../../../kernel/paths/home-files.ts";
import { pluralise } from "../../../text/strings/pluralise.ts";
import type { CommandContext } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { printJson } from "../output/result-output.ts";
import type { Colours } from "../output/text-output.ts";
import type { Check } from "./check.ts";
import { checkDatabase } from "./database-checks.ts";
import { checkHost } from "./host-checks.ts";
import { checkInstallation, readCollectionRoots } from "./installation-checks.ts";
import { repairInstallation } from "./repairs.ts";
import { checkStoreContents } from "./store-checks.ts";

/** Checks the installation, after repairing it with `--repair`. */
export async function runDoctor(
  { repair }: { repair: boolean },
  context: CommandContext,
): Promise<number> {
  const { out, globals, settings, program, shelves } = context;
  // PostgreSQL repairs itself, and its backups are not ours.
  const repairs = repair && !settings.database ? await repairInstallation(context) : [];
  const checks = [
    ...checkInstallation(settings, program),
    ...(settings.database
      ? await checkDatabase(settings.database)
      : checkStoreContents(homeFiles(settings).store, {
          home: createHomeCheck([settings.dataFolder, settings.configFolder], settings.root),
          shelves,
          roots: readCollectionRoots(settings),
          program,
        })),
    ...(await checkHost(context)),
  ];
  const failed = checks.some(({ state }) => state === "fail");
  if (globals.json) {
    await printJson({ ok: !failed, checks, ...(repair && { repairs }) }, out);
  } else {
    const lines = [
      ...repairs.map((sentence) => `${out.colours.cyan("done")}   ${out.sanitize(sentence)}`),
      ...checks.flatMap((check) => checkLines(check, out.colours, out.sanitize)),
      summarizeChecks(checks),
    ];
    await out.write(`${lines.join("\n")}\n`);
  }
  return failed ? exitCodes.internal : 0;
}

function checkLines(check: Check, colours: Colours, sanitize: (text: string) => string): string[] {
  const paint = { ok: colours.green, warn: colours.yellow, fail: colours.red }[check.state];
  const line = `${paint(check.state.padEnd(4))}  ${check.name.padEnd(nameWidth)}${sanitize(check.says)}`;
  const remedy = check.remedy && `${" ".repeat(6 + nameWidth)}${sanitize(check.remedy)}`;
  return remedy ? [line, remedy] : [line];
}

const nameWidth = 12;

function summarizeChecks(checks: readonly Check[]): string {
  const count = (state: Check["state"]) => checks.filter((check) => check.state === state).length;
  const [failed, warned] = [count("fail"), count("warn")];
  const warnings = pluralise(warned, "warning");
  if (failed > 0) return `${pluralise(failed, "check")} failed, ${warnings}.`;
  return warned > 0 ? `No check failed, ${warnings}.` : "No problems found.";
}
