import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type GitPerson, gitPerson } from "../fixtures/git-remotes.ts";
import { runProgram, startServer } from "../journeys/program.ts";
import type { Campaign, Round, RoundReport } from "./campaign.ts";
import { type GitAttack, gitAttacks } from "./git-attacks.ts";
import { visitorAt } from "./visitor.ts";

/** Repositories of strangers, whose settings name programs: none is run, and each refusal says why. */
export const gitSettings: Campaign = {
  name: "git-settings",
  unit: "hostile repositories",
  counts: { ci: gitAttacks.length, usual: gitAttacks.length, long: gitAttacks.length * 20 },
  roundOf: gitAttacks.length,
  async round(round) {
    const place = realpathSync(mkdtempSync(join(tmpdir(), "lectern-strangers-")));
    try {
      return await attack(place, round);
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  },
};

/** One repository of a stranger, as a collection. */
interface Stranger {
  attack: GitAttack;
  name: string;
  folder: string;
  /** What is there once its program has run. */
  mark: string;
}

async function attack(place: string, { seed, count }: Round): Promise<RoundReport> {
  const person = gitPerson(join(place, "person"));
  const template = behindItsOrigin(place, person);
  const chosen = Array.from(
    { length: count },
    (_, number) => gitAttacks[(seed + number) % gitAttacks.length] as GitAttack,
  );
  const strangers = chosen.map((one, number) =>
    stranger(place, `s${number}`, one, template, person),
  );
  const controls = chosen.map((one, number) =>
    stranger(place, `c${number}`, one, template, person),
  );
  const losses: string[] = [];
  const home = join(place, "home");
  mkdirSync(home);
  const { url, stop } = await startServer(home, [], person.env);
  const visitor = visitorAt(url);
  let calls = 0;
  try {
    for (const { name, folder } of strangers)
      await visitor.asPerson("POST", "/collections/add", { name, path: folder });
    const byRest = await visitor.asPerson<Updated>("POST", "/update", { pull: true });
    losses.push(...misjudged(strangers, byRest.not_pulled, "POST /update"));
    for (const { folder, attack: one } of strangers) {
      for (const [tool, given] of looking(folder)) {
        const { status } = await visitor.send("POST", `/tools/${tool}`, { arguments: given });
        if (status >= 500) losses.push(`${one.name}: ${tool} was answered ${status}`);
        calls++;
      }
    }
  } finally {
    await stop();
  }
  const options = { home, env: person.env };
  const { stdout, stderr } = await runProgram(["update", "--pull", "--json"], options);
  if (stdout === "") losses.push(`update --pull said nothing: ${stderr}`);
  else losses.push(...misjudged(strangers, JSON.parse(stdout).notPulled, "update --pull"));
  for (const { mark, attack: one } of strangers)
    if (existsSync(mark)) losses.push(`${one.name}: a program was run`);
  const live = controls.filter((one) => runsByPlainGit(one, person)).length;
  // Where plain git runs nothing either, that we ran nothing says little.
  if (count === gitAttacks.length && live < 12)
    losses.push(`plain git ran a program in ${live} repositories only`);
  const refused = strangers.filter(({ attack: { names } }) => names).length;
  return {
    done: {
      pulled: count - refused,
      refused,
      "pulls tried": 2 * count,
      "histories read": calls,
      "programs run by plain git": live,
    },
    losses,
  };
}

/** A clone that is one commit behind, and whose every file has filter, diff and merge `x`. */
function behindItsOrigin(place: string, person: GitPerson): string {
  const origin = person.repository(join(place, "origin"));
  person.commit(origin, "* filter=x diff=x merge=x\n", ".gitattributes");
  const template = join(place, "template");
  person.git(place, "clone", "--quiet", person.addressOf(origin), template);
  person.commit(origin, "# New\n");
  return template;
}

function stranger(
  place: string,
  name: string,
  one: GitAttack,
  template: string,
  person: GitPerson,
): Stranger {
  const [folder, outside] = [join(place, name), join(place, `${name}-outside`)];
  const [program, mark] = [join(outside, "program"), join(place, `${name}-ran`)];
  cpSync(template, folder, { recursive: true });
  mkdirSync(outside);
  writeFileSync(program, `#!/bin/sh\ntouch ${mark}\nexit 1\n`, { mode: 0o755 });
  const git = (...words: string[]): string => person.git(folder, ...words);
  one.prepare({ clone: folder, outside, program, git });
  return { attack: one, name, folder, mark };
}

type NotPulled = { name: string; reason: string }[];

interface Updated {
  not_pulled: NotPulled;
}

/** Every refusal names its reason, and what is not refused is pulled. */
function misjudged(strangers: readonly Stranger[], refused: NotPulled, by: string): string[] {
  const reasons = new Map(refused.map(({ name, reason }) => [name, reason]));
  return strangers.flatMap(({ name, folder, attack: { name: kind, names } }) => {
    const reason = reasons.get(name);
    if (names === undefined) {
      const isNew = readFileSync(join(folder, "page.md"), "utf8") === "# New\n";
      return reason === undefined && isNew ? [] : [`${kind}, ${by}: not pulled: ${reason}`];
    }
    if (reason === undefined) return [`${kind}, ${by}: it was pulled`];
    return reason.includes(names) ? [] : [`${kind}, ${by}: ${names} is not named: ${reason}`];
  });
}

/** The tools that read a history: each asks git for dates, the second also for the commit. */
const looking = (folder: string): [tool: string, given: object][] => [
  ["manage_sitemap", { action: "generate", docsPath: folder, baseUrl: "https://a.example" }],
  [
    "validate_documentation_freshness",
    { docsPath: folder, dry_run: true, validateAgainstGit: true },
  ],
];

/** Whether what a person types without a thought would run the program. */
function runsByPlainGit({ folder, mark }: Stranger, person: GitPerson): boolean {
  for (const words of [["status"], ["pull", "--ff-only"], ["log", "-p", "--show-signature"]]) {
    try {
      execFileSync("git", ["-C", folder, ...words], {
        env: { ...process.env, ...person.env, GIT_TERMINAL_PROMPT: "0" },
        stdio: "ignore",
        timeout: 10_000,
      });
    } catch {
      // Most of them end in trouble, after or before the program was run.
    }
    if (existsSync(mark)) return true;
  }
  return false;
}
