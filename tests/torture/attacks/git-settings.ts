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
import { type GitPerson, gitPerson } from "../../fixtures/repository/git-remotes.ts";
import { runProgram, startServer } from "../../journeys/program.ts";
import type { Campaign, Round, RoundReport } from "../campaign.ts";
import { httpClientAt } from "../http-client.ts";
import { type GitAttack, gitAttacks } from "./git-attacks.ts";

/** Foreign repositories whose settings name programs: none is run, and each refusal states the reason. */
export const gitSettings: Campaign = {
  name: "git-settings",
  unit: "hostile repositories",
  counts: { ci: gitAttacks.length, default: gitAttacks.length, long: gitAttacks.length * 20 },
  roundOf: gitAttacks.length,
  async round(round) {
    const place = realpathSync(mkdtempSync(join(tmpdir(), "lectern-foreign-")));
    try {
      return await attack(place, round);
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  },
};

/** One foreign repository as a collection. */
interface ForeignRepository {
  attack: GitAttack;
  name: string;
  folder: string;
  /** The file that its program creates. */
  marker: string;
}

async function attack(place: string, { seed, count }: Round): Promise<RoundReport> {
  const person = gitPerson(join(place, "person"));
  const template = outdatedClone(place, person);
  const chosen = Array.from(
    { length: count },
    (_, number) => gitAttacks[(seed + number) % gitAttacks.length] as GitAttack,
  );
  const repositories = chosen.map((one, number) =>
    createRepository(place, `s${number}`, one, template, person),
  );
  const controls = chosen.map((one, number) =>
    createRepository(place, `c${number}`, one, template, person),
  );
  const losses: string[] = [];
  const home = join(place, "home");
  mkdirSync(home);
  const { url, stop } = await startServer(home, [], person.env);
  const client = httpClientAt(url);
  let calls = 0;
  try {
    for (const { name, folder } of repositories)
      await client.asPerson("POST", "/collections/add", { name, path: folder });
    const byRest = await client.asPerson<Updated>("POST", "/update", { pull: true });
    losses.push(...wrongResults(repositories, byRest.not_pulled, "POST /update"));
    for (const { folder, attack: one } of repositories) {
      for (const [tool, given] of gitReadingCalls(folder)) {
        const { status } = await client.send("POST", `/tools/${tool}`, { arguments: given });
        if (status >= 500) losses.push(`${one.name}: ${tool} was answered ${status}`);
        calls++;
      }
    }
  } finally {
    await stop();
  }
  const options = { home, env: person.env };
  const { stdout, stderr } = await runProgram(["update", "--pull", "--json"], options);
  if (stdout === "") losses.push(`update --pull printed nothing: ${stderr}`);
  else losses.push(...wrongResults(repositories, JSON.parse(stdout).notPulled, "update --pull"));
  for (const { marker, attack: one } of repositories)
    if (existsSync(marker)) losses.push(`${one.name}: a program was run`);
  const live = controls.filter((one) => runsByPlainGit(one, person)).length;
  // If plain git does not run the program either, this case proves little.
  if (count === gitAttacks.length && live < 12)
    losses.push(`plain git ran a program in ${live} repositories only`);
  const refused = repositories.filter(({ attack: { names } }) => names).length;
  return {
    done: {
      pulled: count - refused,
      refused,
      "pulls attempted": 2 * count,
      "histories read": calls,
      "programs run by plain git": live,
    },
    losses,
  };
}

/** A clone that is one commit behind, in which every file has filter, diff and merge `x`. */
function outdatedClone(place: string, person: GitPerson): string {
  const origin = person.repository(join(place, "origin"));
  person.commit(origin, "* filter=x diff=x merge=x\n", ".gitattributes");
  const template = join(place, "template");
  person.git(place, "clone", "--quiet", person.addressOf(origin), template);
  person.commit(origin, "# New\n");
  return template;
}

function createRepository(
  place: string,
  name: string,
  one: GitAttack,
  template: string,
  person: GitPerson,
): ForeignRepository {
  const [folder, outside] = [join(place, name), join(place, `${name}-outside`)];
  const [program, marker] = [join(outside, "program"), join(place, `${name}-ran`)];
  cpSync(template, folder, { recursive: true });
  mkdirSync(outside);
  writeFileSync(program, `#!/bin/sh\ntouch ${marker}\nexit 1\n`, { mode: 0o755 });
  const git = (...words: string[]): string => person.git(folder, ...words);
  one.prepare({ clone: folder, outside, program, git });
  return { attack: one, name, folder, marker };
}

type NotPulled = { name: string; reason: string }[];

interface Updated {
  not_pulled: NotPulled;
}

/** Refused pulls must state the reason; all others must succeed. */
function wrongResults(
  repositories: readonly ForeignRepository[],
  refused: NotPulled,
  by: string,
): string[] {
  const reasons = new Map(refused.map(({ name, reason }) => [name, reason]));
  return repositories.flatMap(({ name, folder, attack: { name: kind, names } }) => {
    const reason = reasons.get(name);
    if (names === undefined) {
      const isNew = readFileSync(join(folder, "page.md"), "utf8") === "# New\n";
      return reason === undefined && isNew ? [] : [`${kind}, ${by}: not pulled: ${reason}`];
    }
    if (reason === undefined) return [`${kind}, ${by}: it was pulled`];
    return reason.includes(names) ? [] : [`${kind}, ${by}: ${names} is not named: ${reason}`];
  });
}

/** Tools that run git: both for dates, the second also for the commit. */
const gitReadingCalls = (folder: string): [tool: string, given: object][] => [
  ["manage_sitemap", { action: "generate", docsPath: folder, baseUrl: "https://a.example" }],
  [
    "validate_documentation_freshness",
    { docsPath: folder, dry_run: true, validateAgainstGit: true },
  ],
];

/** Whether an ordinary git command would run the program. */
function runsByPlainGit({ folder, marker }: ForeignRepository, person: GitPerson): boolean {
  for (const words of [["status"], ["pull", "--ff-only"], ["log", "-p", "--show-signature"]]) {
    try {
      execFileSync("git", ["-C", folder, ...words], {
        env: { ...process.env, ...person.env, GIT_TERMINAL_PROMPT: "0" },
        stdio: "ignore",
        timeout: 10_000,
      });
    } catch {
      // Most commands fail, before or after running the program.
    }
    if (existsSync(marker)) return true;
  }
  return false;
}
