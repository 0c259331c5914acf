import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { runProgram, startServer } from "../journeys/program.ts";
import { type Answers, answersOrError, type SoundHome } from "./sound-home.ts";
import { Refused, visitorAt } from "./visitor.ts";

/** What was done to a file, or to a part of it that some questions are about. */
export interface Harm {
  path: string;
  bytes: Buffer;
  about: readonly string[] | undefined;
}

/** Right, or a refusal that says what to do, or less than before while the damaged file is kept. */
export function judged(
  { home, root, answers }: SoundHome,
  given: Answers,
  { path, bytes, about }: Harm,
): string[] {
  // Of a file that was emptied there is nothing to keep.
  const isAside = bytes.length === 0 || isKeptAside(path, bytes);
  const isThere = about !== undefined || (existsSync(path) && readFileSync(path).equals(bytes));
  return Object.entries(given).flatMap(([question, answer]) => {
    if (answer instanceof Error) {
      const { message } = answer;
      const isBroken = /Internal error|answered 500|\n\s+at |ended with null/.test(message);
      if (isBroken) return [`${question} broke: ${message}`];
      if (message.includes(home) || message.includes(root)) return [`a path is told: ${message}`];
      return isAside || isThere ? [] : [`${question} failed, and the damaged file is gone`];
    }
    if (isDeepStrictEqual(answer, answers[question]) || isAside) return [];
    if (about?.includes(question)) return [];
    const told = JSON.stringify(answer).slice(0, 200);
    return [`${question} is answered as if nothing were wrong: ${told}`];
  });
}

/** Whether the damaged bytes still lie beside their place, under whatever name. */
const isKeptAside = (path: string, bytes: Buffer): boolean =>
  readdirSync(dirname(path)).some(
    (name) =>
      name.startsWith(`${basename(path).replace(/-wal$/, "")}.damaged-`) &&
      (name.endsWith("-wal") || readFileSync(join(dirname(path), name)).equals(bytes)),
  );

/** A foreign file is read whole or not at all. */
export async function importOf({ home, root }: SoundHome, file: string): Promise<string[]> {
  const server = await startServer(home, ["--root", root]);
  const path = join(root, "again.qda");
  try {
    await visitorAt(server.url).asPerson("POST", "/qualitative/projects/import", { file, path });
    return [];
  } catch (error) {
    const left = readdirSync(root).filter((name) => name.endsWith("again.qda"));
    return [
      ...(error instanceof Refused && error.status < 500 ? [] : [`import: ${String(error)}`]),
      ...(left.length > 0 ? [`import left ${left.join(", ")}`] : []),
    ];
  } finally {
    await server.stop();
  }
}

/** What `doctor --repair` is for: afterwards all is served that is not in a person's own file. */
export async function repaired(sound: SoundHome, harm: Harm): Promise<string[]> {
  const { path, bytes } = harm;
  const { home, root } = sound;
  const { stderr } = await runProgram(["doctor", "--repair", "--root", root], { home });
  const wrongs = /\n\s+at |Internal error/.test(stderr) ? [`doctor broke: ${stderr}`] : [];
  const isProject = path.includes(".qda");
  if (isProject) return readFileSync(path).equals(bytes) ? wrongs : [...wrongs, "it was changed"];
  const given = await answersOrError(sound);
  return [
    ...wrongs,
    ...judged(sound, given, harm),
    ...Object.entries(given)
      .filter(([, answer]) => answer instanceof Error)
      .map(([question, answer]) => `after the repair ${question}: ${String(answer)}`),
  ];
}
