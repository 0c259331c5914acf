import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { runProgram, startServer } from "../../journeys/program.ts";
import { httpClientAt, Refused } from "../http-client.ts";
import { type Answers, answersOrError, type IntactHome } from "./intact-home.ts";

/** The damage to a file, or to a part of it that some questions depend on. */
export interface AppliedDamage {
  path: string;
  bytes: Buffer;
  queries: readonly string[] | undefined;
}

/** An answer must be correct, or an error with a remedy, or incomplete with the damaged file kept. */
export function judgeDamage(
  { home, root, answers }: IntactHome,
  expected: Answers,
  { path, bytes, queries }: AppliedDamage,
): string[] {
  // An emptied file leaves nothing to keep.
  const isKept = bytes.length === 0 || isKeptAside(path, bytes);
  const isUnchanged =
    queries !== undefined || (existsSync(path) && readFileSync(path).equals(bytes));
  return Object.entries(expected).flatMap(([question, answer]) => {
    if (answer instanceof Error) {
      const { message } = answer;
      const isBroken = /Internal error|answered 500|\n\s+at |ended with null/.test(message);
      if (isBroken) return [`${question} failed: ${message}`];
      if (message.includes(home) || message.includes(root))
        return [`a path is exposed: ${message}`];
      return isKept || isUnchanged ? [] : [`${question} failed, and the damaged file is gone`];
    }
    if (isDeepStrictEqual(answer, answers[question]) || isKept) return [];
    if (queries?.includes(question)) return [];
    const text = JSON.stringify(answer).slice(0, 200);
    return [`${question} has a wrong answer without an error: ${text}`];
  });
}

/** Whether the damaged bytes are still in the same folder, under any name. */
const isKeptAside = (path: string, bytes: Buffer): boolean =>
  readdirSync(dirname(path)).some(
    (name) =>
      name.startsWith(`${basename(path).replace(/-wal$/, "")}.damaged-`) &&
      (name.endsWith("-wal") || readFileSync(join(dirname(path), name)).equals(bytes)),
  );

/** A foreign file is read completely or not at all. */
export async function importOf({ home, root }: IntactHome, file: string): Promise<string[]> {
  const server = await startServer(home, ["--root", root]);
  const path = join(root, "again.qda");
  try {
    await httpClientAt(server.url).callAsPerson("POST", "/qualitative/projects/import", {
      file,
      path,
    });
    return [];
  } catch (error) {
    const remaining = readdirSync(root).filter((name) => name.endsWith("again.qda"));
    return [
      ...(error instanceof Refused && error.status < 500 ? [] : [`import: ${String(error)}`]),
      ...(remaining.length > 0 ? [`import left ${remaining.join(", ")}`] : []),
    ];
  } finally {
    await server.stop();
  }
}

/** The effect of `doctor --repair`: everything works again, except a person's own damaged files. */
export async function verifyRepair(intact: IntactHome, damage: AppliedDamage): Promise<string[]> {
  const { path, bytes } = damage;
  const { home, root } = intact;
  const { stderr } = await runProgram(["doctor", "--repair", "--root", root], { home });
  const losses = /\n\s+at |Internal error/.test(stderr) ? [`doctor failed: ${stderr}`] : [];
  const isProject = path.includes(".qda");
  if (isProject)
    return readFileSync(path).equals(bytes) ? losses : [...losses, "the project was changed"];
  const answers = await answersOrError(intact);
  return [
    ...losses,
    ...judgeDamage(intact, answers, damage),
    ...Object.entries(answers)
      .filter(([, answer]) => answer instanceof Error)
      .map(([question, answer]) => `after the repair ${question}: ${String(answer)}`),
  ];
}
