import { randomNumbers } from "../../fixtures/random-numbers.ts";
import type { Campaign, RoundReport } from "../campaign.ts";
import { allProbes, type Probe, type ProbeRequest } from "./private-probe-lists.ts";
import {
  canaries,
  createPrivateSources,
  numbers,
  type PrivateSourcesFixture,
  unusedName,
} from "./private-sources.ts";

/**
 * An agent asks for private sources through every operation, resource and route it can reach, on a
 * server that had the project open before they became private. No private word may be returned, and
 * the same request about something missing must have the same answer.
 */
export const privateProbes: Campaign = {
  name: "private-probes",
  unit: "probes",
  counts: { ci: 1_200, default: 2_000, long: 20_000 },
  roundOf: 2_000,
  async round({ seed, count }) {
    const fixture = await createPrivateSources({ isNamed: seed % 2 === 0 });
    const report: RoundReport = { done: {}, losses: [] };
    try {
      const available = allProbes(fixture);
      const probes = selectProbes(available, randomNumbers(seed)).slice(0, count);
      report.notes = [`${available.length} different probes exist`];
      if (probes.length < count) report.losses.push(`there are only ${available.length} probes`);
      for (const { kind, request, control } of probes) {
        report.done[kind] = (report.done[kind] ?? 0) + 1;
        const answer = await answerTo(fixture, request);
        await reopenProject(fixture, request);
        const reportLoss = (description: string) =>
          report.losses.push(`${kind}, ${JSON.stringify(request).slice(0, 300)}: ${description}`);
        const found = canaryIn(answer, request);
        if (found) reportLoss(`the answer contains '${found}': …${excerpt(answer, found)}…`);
        if (!control) continue;
        report.done["compared with a control"] = (report.done["compared with a control"] ?? 0) + 1;
        const controlAnswer = await answerTo(fixture, control);
        await reopenProject(fixture, control);
        if (normalized(answer) !== normalized(controlAnswer))
          reportLoss(`${answer.slice(0, 300)} is not ${controlAnswer.slice(0, 300)}`);
      }
      report.losses.push(...(await lossesOfNames(fixture)), ...(await lossesOfReads(fixture)));
      // The agent made it while the source was public.
      await fixture.client.callAsPerson("POST", "/proposals/1/accept");
      const events = fixture.events();
      const mention = /"about":"?[12]"?[,}]/.exec(events)?.[0];
      if (mention) report.losses.push(`an event mentions a private source: ${mention}`);
      for (const word of Object.values(canaries)) {
        if (events.includes(word)) report.losses.push(`an event contains '${word}'`);
      }
    } finally {
      await fixture.close();
    }
    return report;
  },
};

async function answerTo(
  { client, server }: PrivateSourcesFixture,
  request: ProbeRequest,
): Promise<string> {
  if ("http" in request) {
    const response = await fetch(`${server.url}${request.path}`, {
      method: request.http,
      headers: { "user-agent": "agent", "content-type": "application/json" },
      ...(request.body && { body: JSON.stringify(request.body) }),
    });
    return `${response.status} ${await response.text()}`;
  }
  if ("tool" in request && request.over === "tools") {
    const { status, body } = await client.send("POST", `/tools/${request.tool}`, {
      arguments: request.input,
    });
    return `${status} ${JSON.stringify(body)}`;
  }
  const { method, params } =
    "tool" in request
      ? { method: "tools/call", params: { name: request.tool, arguments: request.input } }
      : request;
  const response = await fetch(`${server.url}/mcp`, {
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

/** A word that occurs only in a private source and not in the request. */
function canaryIn(answer: string, request: ProbeRequest): string | undefined {
  const requestText = JSON.stringify(request).toLowerCase();
  return Object.values(canaries).find((word) => {
    const isRequested = requestText.includes(word.toLowerCase().slice(0, 5));
    // An answer may repeat a word of the request, but no other private one.
    return !isRequested && answer.toLowerCase().includes(word.toLowerCase());
  });
}

const excerpt = (answer: string, word: string): string => {
  const position = answer.toLowerCase().indexOf(word.toLowerCase());
  return answer.slice(Math.max(0, position - 80), position + 80);
};

/** An answer without its variable parts: the requested names and numbers, times and ids. */
const normalized = (answer: string): string =>
  answer
    .replaceAll(new RegExp(`${canaries.name}|${unusedName}`, "gi"), "N")
    .replaceAll(new RegExp(`\\b(${numbers.hidden}|${numbers.missing})\\b`, "g"), "N")
    // Names similar to the requested one: they belong to public documents.
    .replaceAll(/\\+n\\+nDid you mean one of these\?[^"]*/g, "")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "T")
    .replaceAll(/"?\b\d+(\.\d+)?\b"?/g, "#");

/** Shuffles the probes; the many path probes come last. */
function selectProbes(probes: readonly Probe[], random: () => number): Probe[] {
  const rank = ({ kind }: Probe): number => (/path|folder/.test(kind) ? 1 : 0) + random();
  return probes
    .map((probe) => ({ probe, position: rank(probe) }))
    .sort((a, b) => a.position - b.position)
    .map(({ probe }) => probe);
}

/** Reopens the private project if the request may have opened another one. */
async function reopenProject(
  { client, project }: PrivateSourcesFixture,
  request: ProbeRequest,
): Promise<void> {
  if (!/"[^"]*(open_project|create_project|projects\/import)"/.test(JSON.stringify(request)))
    return;
  await client.callTool("open_project", { path: project });
}

/** The list of what agents have read leaves out what they read before it was private. */
async function lossesOfReads({ client }: PrivateSourcesFixture): Promise<string[]> {
  const { body } = await client.send("GET", "/qualitative/reads?limit=200");
  const { reads = [] } = body as { reads?: { source_id: number }[] };
  return reads.some(({ source_id }) => source_id === numbers.hidden || source_id === numbers.linked)
    ? ["the list of reads contains a private source"]
    : [];
}

/** A name used only by a private source is as available as an unused one. */
async function lossesOfNames({ client }: PrivateSourcesFixture): Promise<string[]> {
  const add = async (name: string): Promise<string> => {
    const input = { arguments: { name, content: "I was asked." } };
    return JSON.stringify(await client.send("POST", "/tools/add_text_source", input));
  };
  const [taken, free] = [await add(canaries.name), await add(unusedName)];
  const { sources } = await client.callTool<{ sources: { name: string }[] }>("list_sources");
  const named = sources.map(({ name }) => name);
  return [
    ...(normalized(taken) === normalized(free) ? [] : [`adding a name: ${taken} is not ${free}`]),
    ...(named.includes(canaries.name) ? [] : ["a source that was added has another name"]),
  ];
}
