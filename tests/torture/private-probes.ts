import { randomNumbers } from "../fixtures/random-numbers.ts";
import type { Campaign, RoundReport } from "./campaign.ts";
import { canaries, nobody, numbers, type PrivateGround, privateGround } from "./private-ground.ts";
import { allProbes, type Probe, type Question } from "./private-probe-lists.ts";

/**
 * An agent asks for private sources by every operation, resource and route that it can reach, on a
 * server that had the project open before they became private. No word of them may come back, and
 * what can be asked about something that is not there must be answered alike.
 */
export const privateProbes: Campaign = {
  name: "private-probes",
  unit: "probes",
  counts: { ci: 1_200, usual: 2_000, long: 20_000 },
  roundOf: 2_000,
  async round({ seed, count }) {
    const ground = await privateGround({ isNamed: seed % 2 === 0 });
    const report: RoundReport = { done: {}, losses: [] };
    try {
      const every = allProbes(ground);
      const probes = chosen(every, randomNumbers(seed)).slice(0, count);
      report.notes = [`${every.length} different probes are known`];
      if (probes.length < count) report.losses.push(`there are only ${every.length} probes`);
      for (const { kind, ask, nothing } of probes) {
        report.done[kind] = (report.done[kind] ?? 0) + 1;
        const told = await answerTo(ground, ask);
        await reopened(ground, ask);
        const said = (what: string) =>
          report.losses.push(`${kind}, ${JSON.stringify(ask).slice(0, 300)}: ${what}`);
        const found = canaryIn(told, ask);
        if (found) said(`it tells '${found}': …${around(told, found)}…`);
        if (!nothing) continue;
        report.done["compared with nothing"] = (report.done["compared with nothing"] ?? 0) + 1;
        const other = await answerTo(ground, nothing);
        await reopened(ground, nothing);
        if (alike(told) !== alike(other))
          said(`${told.slice(0, 300)} is not ${other.slice(0, 300)}`);
      }
      report.losses.push(...(await lossesOfNames(ground)));
      const events = ground.events();
      const about = /"about":"?[12]"?[,}]/.exec(events)?.[0];
      if (about) report.losses.push(`an event tells of a private source: ${about}`);
      for (const word of Object.values(canaries)) {
        if (events.includes(word)) report.losses.push(`an event tells '${word}'`);
      }
    } finally {
      await ground.close();
    }
    return report;
  },
};

async function answerTo({ visitor, served }: PrivateGround, ask: Question): Promise<string> {
  if ("http" in ask) {
    const response = await fetch(`${served.url}${ask.path}`, {
      method: ask.http,
      headers: { "user-agent": "agent", "content-type": "application/json" },
      ...(ask.body && { body: JSON.stringify(ask.body) }),
    });
    return `${response.status} ${await response.text()}`;
  }
  if ("tool" in ask && ask.over === "tools") {
    const { status, body } = await visitor.send("POST", `/tools/${ask.tool}`, {
      arguments: ask.input,
    });
    return `${status} ${JSON.stringify(body)}`;
  }
  const { method, params } =
    "tool" in ask
      ? { method: "tools/call", params: { name: ask.tool, arguments: ask.input } }
      : ask;
  const response = await fetch(`${served.url}/mcp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-06-18",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  return `${response.status} ${await response.text()}`;
}

/** A word that only a private source has, and that the question did not bring along. */
function canaryIn(told: string, ask: Question): string | undefined {
  const given = JSON.stringify(ask).toLowerCase();
  return Object.values(canaries).find((word) => {
    const isAsked = given.includes(word.toLowerCase().slice(0, 5));
    // Where the question has the word, the answer may repeat it, but tell no other one.
    return !isAsked && told.toLowerCase().includes(word.toLowerCase());
  });
}

const around = (told: string, word: string): string => {
  const at = told.toLowerCase().indexOf(word.toLowerCase());
  return told.slice(Math.max(0, at - 80), at + 80);
};

/** An answer without what differs in any two: the names and numbers asked for, times and ids. */
const alike = (told: string): string =>
  told
    .replaceAll(new RegExp(`${canaries.name}|${nobody}`, "gi"), "N")
    .replaceAll(new RegExp(`\\b(${numbers.hidden}|${numbers.missing})\\b`, "g"), "N")
    // Names like the one that was asked for: they are of documents that everybody sees.
    .replaceAll(/\\+n\\+nDid you mean one of these\?[^"]*/g, "")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "T")
    .replaceAll(/"?\b\d+(\.\d+)?\b"?/g, "#");

/** In another order each time; paths are many, so whatever else is asked comes before them. */
function chosen(probes: readonly Probe[], random: () => number): Probe[] {
  const rank = ({ kind }: Probe): number => (/path|folder/.test(kind) ? 1 : 0) + random();
  return probes
    .map((probe) => ({ probe, at: rank(probe) }))
    .sort((a, b) => a.at - b.at)
    .map(({ probe }) => probe);
}

/** Some questions open another project: the next one is asked with the private one open again. */
async function reopened({ visitor, project }: PrivateGround, ask: Question): Promise<void> {
  if (!/"[^"]*(open_project|create_project|projects\/import)"/.test(JSON.stringify(ask))) return;
  await visitor.tool("open_project", { path: project });
}

/** A name that only a private source has is as free as one that nothing has. */
async function lossesOfNames({ visitor }: PrivateGround): Promise<string[]> {
  const add = async (name: string): Promise<string> => {
    const input = { arguments: { name, content: "I was asked." } };
    return JSON.stringify(await visitor.send("POST", "/tools/add_text_source", input));
  };
  const [taken, free] = [await add(canaries.name), await add(nobody)];
  const { sources } = await visitor.tool<{ sources: { name: string }[] }>("list_sources");
  const named = sources.map(({ name }) => name);
  return [
    ...(alike(taken) === alike(free) ? [] : [`adding a name: ${taken} is not ${free}`]),
    ...(named.includes(canaries.name) ? [] : ["a source that was added has another name"]),
  ];
}
