import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listAllProposals } from "../all-proposals.ts";
import type { HttpClient } from "../http-client.ts";

/** One kind of write. */
interface Write {
  /** Requests a write with this name; throws if it is refused. */
  act(client: HttpClient, name: string, home: string): Promise<unknown>;
  /** The names found afterwards. */
  found(client: HttpClient): Promise<string[]>;
}

/** The result if the page itself could not be written, so no update was requested. */
export const notRequested = "not requested";

/** Sixteen blocks, so that even a disk with much space is full after a few turns. */
const longText = "Somebody hopes for something, and says so. ".repeat(1_500);

/** Writes to every kind of storage: a project, the configuration, the store, the pages. */
export const writes: Readonly<Record<string, Write>> = {
  codes: {
    act: ({ tool }, name) => tool("create_code", { name, color: "#00AA00" }),
    found: async ({ tool }) => namesOf(await tool<Named[]>("list_codes")),
  },
  sources: {
    act: ({ tool }, name) => tool("add_text_source", { name, content: longText }),
    found: async ({ tool }) => namesOf((await tool<{ sources: Named[] }>("list_sources")).sources),
  },
  contexts: {
    act: ({ asPerson }, name) =>
      asPerson("POST", "/contexts/add", { path: `pages/${name}`, text: name }),
    found: async ({ asPerson }) =>
      (await asPerson<{ contexts: { text: string }[] }>("GET", "/contexts")).contexts.map(
        ({ text }) => text,
      ),
  },
  proposals: {
    act: ({ tool }, title) => tool("propose-decision", { kind: "new", title }),
    found: async (client) =>
      (await listAllProposals(client)).map(({ input }) => String(input.title)),
  },
  decisions: {
    async act({ tool, asPerson }, name) {
      const title = `Decided ${name}`;
      const { proposal_id } = await tool<{ proposal_id: number }>("propose-decision", {
        kind: "new",
        title,
      });
      await asPerson("POST", `/proposals/${proposal_id}/accept`);
    },
    found: async (client) =>
      (await decidedTitles(client)).map((title) => title.replace("Decided ", "")),
  },
  pages: {
    act: addPage,
    found: async ({ asPerson }) => {
      const given = { query: "harbour", all: true };
      const { results } = await asPerson<{ results: Titled[] }>("POST", "/search", given);
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
async function addPage({ asPerson }: HttpClient, name: string, home: string): Promise<unknown> {
  const path = join(home, "pages", `${name.replaceAll(" ", "-")}.md`);
  try {
    writeFileSync(path, `# ${name}\n\nThis page says harbour.\n\n${longText}\n`);
  } catch {
    rmSync(path, { force: true });
    return notRequested;
  }
  return asPerson("POST", "/update");
}

const decidedTitles = async ({ asPerson }: HttpClient): Promise<string[]> =>
  (await asPerson<{ records: Titled[] }>("GET", "/adr")).records.map(({ title }) => title);

/** A decision is accepted and written once, or it is pending and has no file. */
export async function inconsistentDecisions(client: HttpClient): Promise<string[]> {
  const written = await decidedTitles(client);
  return (await listAllProposals(client)).flatMap(({ status, input }) => {
    const times = written.filter((title) => title === input.title).length;
    if (times === (status === "accepted" ? 1 : 0)) return [];
    return [`'${String(input.title)}' is ${status} and was written ${times} times`];
  });
}
