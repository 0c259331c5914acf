import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Browser } from "playwright-core";
import { driftedCode, lampRepository } from "../fixtures/lamp-repository.ts";
import { pageHeaders } from "../fixtures/page-credential.ts";
import { watchProject } from "../fixtures/watch-project.ts";
import { openBrowser } from "./browser.ts";
import { freshHome, runProgram, type Served, sample, startServer } from "./program.ts";

type Call = (name: string, input?: object) => Promise<Record<string, unknown>>;

export interface WholeHouse extends Served {
  /** The folder of the library, and of the repository in it. */
  library: string;
  repository: string;
  /** An agent that calls a tool by its name. */
  agent: Call;
  /** A person at the page. */
  person: Call;
}

/**
 * A server with something to see on every screen: the sample library, its objects and decisions,
 * a repository whose pages have fallen behind, a coded project, and proposals that wait.
 */
export async function startWholeHouse(home = freshHome()): Promise<WholeHouse> {
  const library = join(home, "library");
  const repository = join(library, "lamps");
  cpSync(sample, library, { recursive: true });
  writeAll(repository, lampRepository);
  await command(["adr", "supersede", "1", "Keep loans in two ledgers", "--date", "2026-03-01"]);
  for (const name of ["handbook", "notes", "catalogue"]) {
    await command(["collection", "add", join(library, name)]);
  }
  await command(["collection", "add", repository, "--glob", "**/*.{md,ts}"]);
  const served = await startServer(home, ["--root", library]);
  const agent = callerAt(`${served.url}/tools`, { "user-agent": "reading-agent/1.0" });
  const person = callerAt(`${served.url}/page`, await credentialOf(served.url));
  await agent("sync_code_to_docs", { projectPath: repository });
  writeAll(repository, driftedCode);
  await watchProject(agent, person);
  for (const title of ["Lend lanterns by the week", "Paint the gate green"]) {
    const rationale = "Two keepers asked for it in the February meeting.";
    await agent("propose-decision", { kind: "new", title, rationale, date: "2026-04-01" });
  }
  return { ...served, library, repository, agent, person };

  async function command(words: readonly string[]): Promise<void> {
    const { code, stderr } = await runProgram(words, { home, cwd: library });
    if (code !== 0) throw new Error(`${words.join(" ")}: ${stderr}`);
  }
}

export interface WholePage extends WholeHouse {
  browser: Browser;
  close(): Promise<void>;
}

/** The whole house, and a browser to look at it. */
export async function openWholeHouse(): Promise<WholePage> {
  const [house, browser] = await Promise.all([startWholeHouse(), openBrowser()]);
  return {
    ...house,
    browser,
    async close() {
      await browser.close();
      await house.stop();
    },
  };
}

function writeAll(folder: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** What a browser would carry after it has loaded the page. */
export const credentialOf = async (url: string): Promise<Record<string, string>> =>
  pageHeaders(await fetch(url, { headers: { accept: "text/html" } }));

export const callerAt =
  (place: string, headers: Record<string, string>): Call =>
  async (name, input = {}) => {
    const response = await fetch(`${place}/${name}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ arguments: input }),
    });
    // Both ways in answer with an object that has `data` where all went well.
    const answer = (await response.json()) as { data?: Record<string, unknown> };
    if (!answer.data) throw new Error(`${name}: ${JSON.stringify(answer)}`);
    return answer.data;
  };
