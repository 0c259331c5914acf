import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Browser } from "playwright-core";
import { pageHeaders } from "../fixtures/http/page-credential.ts";
import { watchProject } from "../fixtures/qualitative/watch-project.ts";
import { driftedCode, lampRepository } from "../fixtures/repository/lamp-repository.ts";
import { openBrowser } from "./browser.ts";
import { freshHome, runProgram, type Served, sample, startServer } from "./program.ts";

type Call = (name: string, input?: object) => Promise<Record<string, unknown>>;

export interface FullHome extends Served {
  /** The folder of the sample and of its repository. */
  library: string;
  repository: string;
  /** Calls a tool as an agent. */
  agent: Call;
  /** Calls an operation as the person at the page. */
  person: Call;
}

/**
 * A server with content for every screen: the sample library, its objects and decisions,
 * a repository with outdated pages, a coded project, and pending proposals.
 */
export async function startFullHome(home = freshHome()): Promise<FullHome> {
  const library = join(home, "library");
  const repository = join(library, "lamps");
  cpSync(sample, library, { recursive: true });
  writeAll(repository, lampRepository);
  await command(["adr", "supersede", "1", "Keep loans in two ledgers", "--date", "2026-03-01"]);
  for (const name of ["handbook", "notes", "catalogue"]) {
    await command(["collection", "add", join(library, name)]);
  }
  await command(["collection", "add", repository, "--glob", "**/*.{md,ts}"]);
  const server = await startServer(home, ["--root", library]);
  const agent = callerAt(`${server.url}/tools`, { "user-agent": "reading-agent/1.0" });
  const person = callerAt(`${server.url}/page`, await credentialOf(server.url));
  await agent("sync_code_to_docs", { projectPath: repository });
  writeAll(repository, driftedCode);
  await watchProject(agent, person);
  for (const title of ["Lend lanterns by the week", "Paint the gate green"]) {
    const rationale = "Two keepers asked for it in the February meeting.";
    await agent("propose-decision", { kind: "new", title, rationale, date: "2026-04-01" });
  }
  return { ...server, library, repository, agent, person };

  async function command(args: readonly string[]): Promise<void> {
    const { code, stderr } = await runProgram(args, { home, cwd: library });
    if (code !== 0) throw new Error(`${args.join(" ")}: ${stderr}`);
  }
}

export interface FullHomePage extends FullHome {
  browser: Browser;
  close(): Promise<void>;
}

/** The complete server, and a browser. */
export async function openFullHomePage(): Promise<FullHomePage> {
  const [opened, browser] = await Promise.all([startFullHome(), openBrowser()]);
  return {
    ...opened,
    browser,
    async close() {
      await browser.close();
      await opened.stop();
    },
  };
}

function writeAll(folder: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** The headers that a browser sends after it has loaded the page. */
export const credentialOf = async (url: string): Promise<Record<string, string>> =>
  pageHeaders(await fetch(url, { headers: { accept: "text/html" } }));

export const callerAt =
  (url: string, headers: Record<string, string>): Call =>
  async (name, input = {}) => {
    const response = await fetch(`${url}/${name}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ arguments: input }),
    });
    // Responses have `data` on success.
    const answer = (await response.json()) as { data?: Record<string, unknown> };
    if (!answer.data) throw new Error(`${name}: ${JSON.stringify(answer)}`);
    return answer.data;
  };
