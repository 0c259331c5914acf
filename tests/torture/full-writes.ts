import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { everyProposal } from "./proposed.ts";
import type { Visitor } from "./visitor.ts";

/** One kind of write. */
interface Write {
  /** Asks for something of this name; throws where it is refused. */
  act(visitor: Visitor, name: string, home: string): Promise<unknown>;
  /** The names of which there is something. */
  found(visitor: Visitor): Promise<string[]>;
}

/** Of a page that there was no room to write before anybody was asked to take it in. */
export const notAsked = "not asked";

/** Sixteen blocks, so that a disk with room for many is full after a few turns too. */
const longText = "Somebody hopes for something, and says so. ".repeat(1_500);

/** To every place where something is kept: a project, the configuration, the store, the pages. */
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
    found: async (visitor) =>
      (await everyProposal(visitor)).map(({ input }) => String(input.title)),
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
    found: async (visitor) =>
      (await decidedTitles(visitor)).map((title) => title.replace("Decided ", "")),
  },
  pages: {
    act: takeIn,
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

/** The page itself is ours to write; it may find no room either. */
async function takeIn({ asPerson }: Visitor, name: string, home: string): Promise<unknown> {
  const path = join(home, "pages", `${name.replaceAll(" ", "-")}.md`);
  try {
    writeFileSync(path, `# ${name}\n\nThis page says harbour.\n\n${longText}\n`);
  } catch {
    rmSync(path, { force: true });
    return notAsked;
  }
  return asPerson("POST", "/update");
}

const decidedTitles = async ({ asPerson }: Visitor): Promise<string[]> =>
  (await asPerson<{ records: Titled[] }>("GET", "/adr")).records.map(({ title }) => title);

/** A decision is accepted and written, once, or it waits and there is no file of it. */
export async function halfDecided(visitor: Visitor): Promise<string[]> {
  const written = await decidedTitles(visitor);
  return (await everyProposal(visitor)).flatMap(({ status, input }) => {
    const times = written.filter((title) => title === input.title).length;
    if (times === (status === "accepted" ? 1 : 0)) return [];
    return [`'${String(input.title)}' is ${status} and was written ${times} times`];
  });
}
