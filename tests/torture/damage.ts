import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { randomNumbers } from "../fixtures/random-numbers.ts";
import { runProgram, startServer } from "../journeys/program.ts";
import type { Campaign, Round, RoundReport } from "./campaign.ts";
import { damaged } from "./damaged-bytes.ts";
import { type Answers, answersAfterStart, makeSoundHome, type SoundHome } from "./sound-home.ts";
import { Refused, visitorAt } from "./visitor.ts";

/** Files of a home, each damaged in many ways: what is answered afterwards is right, or a refusal. */
export const damage: Campaign = {
  name: "damage",
  unit: "damaged files",
  counts: { ci: 40, usual: 120, long: 5_000 },
  roundOf: 40,
  lanes: 2,
  round: damageFiles,
};

/** Where each kind of file lies, and what is asked about it afterwards beyond the usual. */
const kinds: Record<string, (sound: SoundHome) => string> = {
  store: ({ home }) => join(home, "lectern.sqlite"),
  "store's log": ({ home }) => join(home, "lectern.sqlite-wal"),
  lease: ({ home }) => join(home, "lease.sqlite"),
  configuration: ({ home }) => join(home, "config.json"),
  "configuration's copy": ({ home }) => join(home, "config.json.bak"),
  project: ({ root }) => join(root, "interviews.qda", "data.qda"),
  "project's journal": ({ root }) => join(root, "interviews.qda", "data.qda-journal"),
  "exchange file": ({ root }) => join(root, "all.qdpx"),
};

async function damageFiles({ seed, count }: Round): Promise<RoundReport> {
  const random = randomNumbers(seed);
  const place = mkdtempSync(join(tmpdir(), "lectern-damage-"));
  const report: RoundReport = { done: {}, losses: [] };
  try {
    const sound = await makeSoundHome(place);
    const kept = `${place}-kept`;
    cpSync(place, kept, { recursive: true, preserveTimestamps: true });
    try {
      for (let number = 0; number < count; number++) {
        const [kind, pathOf] = Object.entries(kinds)[number % Object.keys(kinds).length] ?? [];
        if (kind === undefined || pathOf === undefined) continue;
        const trial = await damageOne(sound, pathOf(sound), random);
        report.done[kind] = (report.done[kind] ?? 0) + 1;
        report.losses.push(...trial.map((wrong) => `${kind} ${number}, ${wrong}`));
        rmSync(place, { recursive: true, force: true });
        cpSync(kept, place, { recursive: true, preserveTimestamps: true });
      }
    } finally {
      rmSync(kept, { recursive: true, force: true });
    }
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
  return report;
}

async function damageOne(sound: SoundHome, path: string, random: () => number): Promise<string[]> {
  if (path.endsWith("-wal")) await leaveLog(sound);
  const before = existsSync(path)
    ? readFileSync(path)
    : readFileSync(`${path.replace(/-\w+$/, "")}`);
  const { name, bytes } = damaged(before, random);
  writeFileSync(path, bytes);
  const wrongs: string[] = [];
  const first = await answered(sound);
  wrongs.push(...judged(sound, first, path, bytes));
  if (path.endsWith(".qdpx")) wrongs.push(...(await importOf(sound, path)));
  if (Object.values(first).some((answer) => answer instanceof Error)) {
    wrongs.push(...(await repaired(sound, path, bytes)));
  }
  return wrongs.map((wrong) => `${name}: ${wrong}`);
}

/** A log stays behind where a server was killed after it wrote. */
async function leaveLog({ home, root }: SoundHome): Promise<void> {
  const { url, child } = await startServer(home, ["--root", root]);
  await visitorAt(url).asPerson("POST", "/update");
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

/** What a server answers; where it cannot even start, each answer is what it said instead. */
async function answered({ home, root, answers }: SoundHome): Promise<Answers> {
  try {
    return await answersAfterStart(home, root);
  } catch (error) {
    return Object.fromEntries(Object.keys(answers).map((question) => [question, error]));
  }
}

/** Right, or a refusal that says what to do, or less than before while the damaged file is kept. */
function judged(
  { home, root, answers }: SoundHome,
  given: Answers,
  path: string,
  bytes: Buffer,
): string[] {
  // Of a file that was emptied there is nothing to keep.
  const isAside = bytes.length === 0 || isKeptAside(path, bytes);
  const isThere = existsSync(path) && readFileSync(path).equals(bytes);
  return Object.entries(given).flatMap(([question, answer]) => {
    if (answer instanceof Error) {
      const { message } = answer;
      const isBroken = /Internal error|answered 500|\n\s+at |ended with null/.test(message);
      if (isBroken) return [`${question} broke: ${message}`];
      if (message.includes(home) || message.includes(root)) return [`a path is told: ${message}`];
      return isAside || isThere ? [] : [`${question} failed, and the damaged file is gone`];
    }
    if (isDeepStrictEqual(answer, answers[question]) || isAside) return [];
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
async function importOf({ home, root }: SoundHome, file: string): Promise<string[]> {
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
async function repaired(sound: SoundHome, path: string, bytes: Buffer): Promise<string[]> {
  const { home, root } = sound;
  const { stderr } = await runProgram(["doctor", "--repair", "--root", root], { home });
  const isProject = path.includes(".qda");
  const wrongs = /\n\s+at |Internal error/.test(stderr) ? [`doctor broke: ${stderr}`] : [];
  if (isProject) return readFileSync(path).equals(bytes) ? wrongs : [...wrongs, "it was changed"];
  const given = await answered(sound);
  return [
    ...wrongs,
    ...judged(sound, given, path, bytes),
    ...Object.entries(given)
      .filter(([, answer]) => answer instanceof Error)
      .map(([question, answer]) => `after the repair ${question}: ${String(answer)}`),
  ];
}
