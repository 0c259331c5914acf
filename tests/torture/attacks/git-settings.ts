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
    const tempFolder = realpathSync(mkdtempSync(join(tmpdir(), "lectern-foreign-")));
    try {
      return await runAttacks(tempFolder, round);
    } finally {
      rmSync(tempFolder, { recursive: true, force: true });
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

async function runAttacks(tempFolder: string, { seed, count }: Round): Promise<RoundReport> {
  const person = gitPerson(join(tempFolder, "person"));
  const template = outdatedClone(tempFolder, person);
  const attacks = Array.from(
    { length: count },
    (_, number) => gitAttacks[(seed + number) % gitAttacks.length] as GitAttack,
  );
  const repositories = attacks.map((gitAttack, number) =>
    createRepository(tempFolder, `s${number}`, gitAttack, template, person),
  );
  const controls = attacks.map((gitAttack, number) =>
    createRepository(tempFolder, `c${number}`, gitAttack, template, person),
  );
  const losses: string[] = [];
  const home = join(tempFolder, "home");
  mkdirSync(home);
  const { url, stop } = await startServer(home, [], person.env);
  const client = httpClientAt(url);
  let calls = 0;
  try {
    for (const { name, folder } of repositories)
      await client.callAsPerson("POST", "/collections/add", { name, path: folder });
    const byRest = await client.callAsPerson<Updated>("POST", "/update", { pull: true });
    losses.push(...wrongResults(repositories, byRest.not_pulled, "POST /update"));
    for (const { folder, attack: gitAttack } of repositories) {
      for (const [tool, args] of gitReadingCalls(folder)) {
        const { status } = await client.send("POST", `/tools/${tool}`, { arguments: args });
        if (status >= 500) losses.push(`${gitAttack.name}: ${tool} was answered ${status}`);
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
  for (const { marker, attack: gitAttack } of repositories)
    if (existsSync(marker)) losses.push(`${gitAttack.name}: a program was run`);
  const effective = controls.filter((gitAttack) => isRunByPlainGit(gitAttack, person)).length;
  // If plain git does not run the program either, this case proves little.
  if (count === gitAttacks.length && effective < 12)
    losses.push(`plain git ran a program in ${effective} repositories only`);
  const refused = repositories.filter(({ attack: { names } }) => names).length;
  return {
    done: {
      pulled: count - refused,
      refused,
      "pulls attempted": 2 * count,
      "histories read": calls,
      "programs run by plain git": effective,
    },
    losses,
  };
}

/** A clone that is one commit behind, in which every file has filter, diff and merge `x`. */
function outdatedClone(tempFolder: string, person: GitPerson): string {
  const origin = person.repository(join(tempFolder, "origin"));
  person.commit(origin, "* filter=x diff=x merge=x\n", ".gitattributes");
  const template = join(tempFolder, "template");
  person.git(tempFolder, "clone", "--quiet", person.addressOf(origin), template);
  person.commit(origin, "# New\n");
  return template;
}

function createRepository(
  tempFolder: string,
  name: string,
  gitAttack: GitAttack,
  template: string,
  person: GitPerson,
): ForeignRepository {
  const [folder, outside] = [join(tempFolder, name), join(tempFolder, `${name}-outside`)];
  const [program, marker] = [join(outside, "program"), join(tempFolder, `${name}-ran`)];
  cpSync(template, folder, { recursive: true });
  mkdirSync(outside);
  writeFileSync(program, `#!/bin/sh\ntouch ${marker}\nexit 1\n`, { mode: 0o755 });
  const git = (...args: string[]): string => person.git(folder, ...args);
  gitAttack.prepare({ clone: folder, outside, program, git });
  return { attack: gitAttack, name, folder, marker };
}

type NotPulled = { name: string; reason: string }[];

interface Updated {
  not_pulled: NotPulled;
}

/** Refused pulls must state the reason; all others must succeed. */
function wrongResults(
  repositories: readonly ForeignRepository[],
  refused: NotPulled,
  surface: string,
): string[] {
  const reasons = new Map(refused.map(({ name, reason }) => [name, reason]));
  return repositories.flatMap(({ name, folder, attack: { name: kind, names } }) => {
    const reason = reasons.get(name);
    if (names === undefined) {
      const isNew = readFileSync(join(folder, "page.md"), "utf8") === "# New\n";
      return reason === undefined && isNew ? [] : [`${kind}, ${surface}: not pulled: ${reason}`];
    }
    if (reason === undefined) return [`${kind}, ${surface}: it was pulled`];
    return reason.includes(names) ? [] : [`${kind}, ${surface}: ${names} is not named: ${reason}`];
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
function isRunByPlainGit({ folder, marker }: ForeignRepository, person: GitPerson): boolean {
  for (const args of [["status"], ["pull", "--ff-only"], ["log", "-p", "--show-signature"]]) {
    try {
      execFileSync("git", ["-C", folder, ...args], {
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
