import type { Browser, Page } from "playwright-core";
import { makeInterviews } from "../../fixtures/qualitative/interviews.ts";
import { agentAt } from "../../fixtures/qualitative/served-project.ts";
import { openBrowser } from "../browser.ts";
import { callerAt, credentialOf } from "../full-home.ts";
import { freshHome, type Served, startServer } from "../program.ts";

export interface CodingSetup {
  browser: Browser;
  server: Served;
  /** Calls a tool as an agent. */
  agent: ReturnType<typeof agentAt>;
  /** Calls an operation as a person at another page. */
  person: ReturnType<typeof callerAt>;
  close(): Promise<void>;
}

/** A server with the example project, and a browser. */
export async function openCodingSetup({ isEmpty = false } = {}): Promise<CodingSetup> {
  const home = freshHome();
  const [server, browser] = await Promise.all([startServer(home, ["--root", home]), openBrowser()]);
  const agent = agentAt(server.url);
  const person = callerAt(`${server.url}/page`, await credentialOf(server.url));
  if (!isEmpty) await makeInterviews(agent);
  return {
    browser,
    server,
    agent,
    person,
    async close() {
      await browser.close();
      await server.stop();
    },
  };
}

/** Focuses the text of a source and presses keys. */
export async function pressKeysIn(page: Page, source: string, ...keys: string[]): Promise<void> {
  await page.getByRole("region", { name: `Text of ${source}` }).focus();
  for (const key of keys) await page.keyboard.press(key);
}

export const times = (count: number, key: string): string[] => Array(count).fill(key);
