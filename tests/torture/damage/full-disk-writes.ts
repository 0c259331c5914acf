import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listAllProposals } from "../all-proposals.ts";
import type { HttpClient } from "../http-client.ts";

/** One kind of write. */
interface Write {
  /** Requests a write with this name; throws if it is refused. */
  write(client: HttpClient, name: string, home: string): Promise<unknown>;
  /** The names found afterwards. */
  list(client: HttpClient): Promise<string[]>;
}

/** The result if the page itself could not be written, so no update was requested. */
export const notRequested = "not requested";

/** Sixteen blocks, so that even a disk with much space is full after a few turns. */
const longText = "Somebody hopes for something, and says so. ".repeat(1_500);

/** Writes to every kind of storage: a project, the configuration, the store, the pages. */
export const writes: Readonly<Record<string, Write>> = {
  codes: {
    write: ({ callTool }, name) => callTool("create_code", { name, color: "#00AA00" }),
    list: async ({ callTool }) => namesOf(await callTool<Named[]>("list_codes")),
  },
  sources: {
    write: ({ callTool }, name) => callTool("add_text_source", { name, content: longText }),
    list: async ({ callTool }) =>
      namesOf((await callTool<{ sources: Named[] }>("list_sources")).sources),
  },
  contexts: {
    write: ({ callAsPerson }, name) =>
      callAsPerson("POST", "/contexts/add", { path: `pages/${name}`, text: name }),
    list: async ({ callAsPerson }) =>
      (await callAsPerson<{ contexts: { text: string }[] }>("GET", "/contexts")).contexts.map(
        ({ text }) => text,
      ),
  },
  proposals: {
    write: ({ callTool }, title) => callTool("propose-decision", { kind: "new", title }),
    list: async (client) =>
      (await listAllProposals(client)).map(({ input }) => String(input.title)),
  },
  decisions: {
    async write({ callTool, callAsPerson }, name) {
      const title = `Decided ${name}`;
      const { proposal_id } = await callTool<{ proposal_id: number }>("propose-decision", {
        kind: "new",
        title,
      });
      await callAsPerson("POST", `/proposals/${proposal_id}/accept`);
    },
    list: async (client) =>
      (await decidedTitles(client)).map((title) => title.replace("Decided ", "")),
  },
  pages: {
    write: addPage,
    list: async ({ callAsPerson }) => {
      const query = { query: "harbour", all: true };
      const { results } = await callAsPerson<{ results: Titled[] }>("POST", "/search", query);
      return results.map(({ title }) => title);
    },
  },
};

interface Named {
  name: string;
}

interface Titled {
  title: string;
}

const namesOf = (all: readonly Named[]): string[] => all.map(({ name }) => name);

/** The page is written by the test; it may not fit either. */
async function addPage({ callAsPerson }: HttpClient, name: string, home: string): Promise<unknown> {
  const path = join(home, "pages", `${name.replaceAll(" ", "-")}.md`);
  try {
    writeFileSync(path, `# ${name}\n\nThis page says harbour.\n\n${longText}\n`);
  } catch {
    rmSync(path, { force: true });
    return notRequested;
  }
  return callAsPerson("POST", "/update");
}

const decidedTitles = async ({ callAsPerson }: HttpClient): Promise<string[]> =>
  (await callAsPerson<{ records: Titled[] }>("GET", "/adr")).records.map(({ title }) => title);

/** A decision is accepted and written once, or it is pending and has no file. */
export async function inconsistentDecisions(client: HttpClient): Promise<string[]> {
  const written = await decidedTitles(client);
  return (await listAllProposals(client)).flatMap(({ status, input }) => {
    const times = written.filter((title) => title === input.title).length;
    if (times === (status === "accepted" ? 1 : 0)) return [];
    return [`'${String(input.title)}' is ${status} and was written ${times} times`];
  });
}
