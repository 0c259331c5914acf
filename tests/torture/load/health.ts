import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { randomNumbers } from "../../fixtures/random-numbers.ts";
import { freshHome, startServer } from "../../journeys/program.ts";
import type { Campaign, Round, RoundReport, Scale } from "../campaign.ts";
import { httpClientAt } from "../http-client.ts";

/** Indexes large and hostile documents while another client polls the server's health. */
export const health: Campaign = {
  name: "health",
  unit: "documents",
  counts: { ci: 20, default: 40, long: 400 },
  roundOf: 20,
  round: collect,
};

const megabytes: Record<Scale, number> = { ci: 3, default: 8, long: 15 };

/** It takes a quarter of a second on an idle machine; tests run on a busy one. */
const maxHealthMs = 2_500;

/** The maximum time to index a round. */
const timeoutMs = 600_000;

type Random = () => number;

/** The text repeated until the document is large. */
const generators: Record<string, (random: Random) => string> = {
  "one line": () => "lamp ",
  "words that are never repeated": (random) => `w${random().toString(36).slice(2)} `,
  headings: () => "# h\n",
  quotes: () => "> ",
  brackets: () => "[",
  links: () => "[a](b) ",
  "empty lines": () => "\n",
  tables: () => "|a|b|c|\n",
  "front matter": (random) => `${random() < 1e-6 ? "---" : "k"}: v\n`,
  ideographs: () => "灯",
  emoji: () => "🙂",
  backticks: () => "`",
  emphasis: () => "*a_ ",
  elements: () => "<div>",
  "wiki links": () => "[[a]] ",
  lists: (random) => `${" ".repeat(random() * 40)}- x\n`,
  "combining marks": () => "a\u0301\u0302",
};

function generateDocument(random: Random, bytes: number): string {
  const kinds = Object.values(generators);
  const piece = kinds[Math.floor(random() * kinds.length)] ?? (() => "a");
  const parts: string[] = random() < 0.2 ? ["---\n"] : [];
  for (let length = 0; length < bytes; ) {
    const part = piece(random);
    parts.push(part);
    length += Buffer.byteLength(part);
  }
  return parts.join("");
}

async function collect({ seed, count, scale }: Round): Promise<RoundReport> {
  const random = randomNumbers(seed);
  const home = freshHome();
  const folder = join(home, "library");
  mkdirSync(folder);
  for (let number = 0; number < count; number++) {
    writeFileSync(
      join(folder, `${number}.md`),
      generateDocument(random, megabytes[scale] * 2 ** 20),
    );
  }
  const server = await startServer(home, ["--log-level", "error"]);
  const client = httpClientAt(server.url);
  const [times, losses]: [number[], string[]] = [[], []];
  try {
    await client.send("GET", "/health");
    const added = client.send("POST", "/collections/add", { path: folder, name: "monsters" });
    const end = performance.now() + timeoutMs;
    for (let documents = 0; documents < count; ) {
      const start = performance.now();
      await client.send("GET", "/health");
      times.push(performance.now() - start);
      const { body } = await client.send("GET", "/collections");
      documents = Number(/"documents":(\d+)/.exec(JSON.stringify(body))?.[1] ?? 0);
      if (performance.now() > end) {
        losses.push(`only ${documents} of ${count} documents were indexed`);
        break;
      }
      await sleep(20);
    }
    const { status } = await added;
    if (status !== 200) losses.push(`the collection was answered ${status}`);
    const slowest = Math.round(Math.max(...times));
    if (slowest > maxHealthMs) losses.push(`/health took ${slowest} ms`);
    return {
      done: { documents: count, "health checks": times.length },
      losses,
      notes: [`/health took at most ${slowest} ms`],
    };
  } finally {
    server.child.kill("SIGKILL");
    rmSync(home, { recursive: true, force: true });
  }
}
