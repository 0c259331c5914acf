import { afterAll, beforeAll, expect, test } from "vitest";
import type { Hit } from "../answers.ts";
import { type QmdServer, startQmdServer } from "./qmd-library.ts";

/** Founding document 004: `search`, as a tool, a route and a command. */
let server: QmdServer;

const lines = Array.from({ length: 400 }, (_, index) => `Line ${index + 1} is about the weather.`);
lines[119] = "Here the sextant is mentioned, far below every heading.";

beforeAll(async () => {
  server = await startQmdServer(
    {
      "notes/meeting.md": "# Meeting\n\nThe meeting of the keepers. A meeting is held each May.\n",
      "notes/2025/second meeting.md": "# Second meeting\n\nThe meeting was short.\n",
      "notes/letter.md": `# A letter\n\n${"Of the sea, the sky and the gulls. ".repeat(60)}Then a meeting.\n`,
      "notes/long.md": `# Weather log\n\n${lines.slice(2).join("\n")}\n`,
      "notes/edge.md": `# Edge\n\n${"y".repeat(290)}\nThe chronometer ${"runs on and ".repeat(40)}\n`,
      "notes/wide.md": `# Wide\n\n${"padding ".repeat(200)}barometer ${"padding ".repeat(200)}\n`,
      ...Object.fromEntries(
        Array.from({ length: 12 }, (_, n) => [`many/${n}.md`, `# Number ${n}\n\nA lantern.\n`]),
      ),
    },
    { notes: "Notes of the keepers", "notes/2025": "The year of the storm" },
  );
});

afterAll(() => server.close());

const toPercent = ({ score }: Hit) => `${Math.round(score * 100)}%`;

test("[search.search.fields] each result has docid, file, title, score, context and snippet, on every surface", async () => {
  const hits = await server.resultsOf("search", { query: "meeting" });

  expect(hits.map(({ file }) => file)).toEqual([
    expect.stringMatching(/meeting\.md$/),
    expect.stringMatching(/meeting\.md$/),
    "notes/letter.md",
  ]);
  expect(hits.find(({ file }) => file === "notes/meeting.md")).toMatchObject({
    docid: expect.stringMatching(/^#[0-9a-f]{6}$/),
    title: "Meeting",
    score: expect.any(Number),
    context: "Notes of the keepers",
    snippet: expect.stringMatching(/^1: # Meeting\n2: \n3: The meeting of the keepers\./),
  });
  expect(hits.find(({ title }) => title === "Second meeting")?.context).toBe(
    "Notes of the keepers\n\nThe year of the storm",
  );
  expect(await server.resultsOf("search", { query: "lantern", limit: 1 })).toMatchObject([
    { context: null },
  ]);
});

test("[search.search.score] scores are from 0 to 1 with two decimals, highest first", async () => {
  for (const query of ["meeting", "meeting short May storm", "lantern number"]) {
    const scores = (await server.resultsOf("search", { query })).map(({ score }) => score);
    expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
    expect(scores.map((score) => Math.round(score * 100) / 100)).toEqual(scores);
    expect([...scores].sort((a, b) => b - a)).toEqual(scores);
  }
});

test("[search.search.agent-text] an agent gets 'Found N results for \"q\":', a blank line and one line for each", async () => {
  for (const { over, call } of server.agents) {
    const { content, structuredContent } = await call("search", { query: "meeting" });
    const resultLines = structuredContent.results.map(
      (hit) => `${hit.docid} ${toPercent(hit)} ${hit.file} - ${hit.title}`,
    );
    expect(content, over).toEqual([
      { type: "text", text: `Found 3 results for "meeting":\n\n${resultLines.join("\n")}` },
    ]);
    const one = await call("search", { query: "sextant" });
    expect(one.content[0]?.text, over).toMatch(/^Found 1 result for "sextant":\n\n#/);
  }
});

test("[search.search.rest-text] REST returns the same as `content`, without the colon and with blank lines between", async () => {
  const { body } = await server.rest("POST /search", { query: "meeting" });
  const resultLines = body.results.map(
    (hit) => `${hit.docid} ${toPercent(hit)} ${hit.file} - ${hit.title}`,
  );

  expect(body.content).toBe(`Found 3 results for "meeting"\n\n${resultLines.join("\n\n")}`);
  expect(Object.keys(body).sort()).toEqual(["content", "results"]);
});

test("[search.search.cli-text] the command line shows docid, score, file, title and numbered lines", async () => {
  const { code, stdout } = await server.qmd("search", "sextant");

  expect(code).toBe(0);
  expect(stdout).toMatch(/^#[0-9a-f]{6} \d+% notes\/long\.md - Weather log\n/);
  expect(stdout).toContain("120: Here the sextant is mentioned");
});

test("[search.search.nothing] an empty result has the documented text", async () => {
  const noResults = 'No results found for "xylophone"';

  expect(await server.resultsOf("search", { query: "xylophone" })).toEqual([]);
  for (const { over, call } of server.agents) {
    expect(await call("search", { query: "xylophone" }), over).toEqual({
      content: [{ type: "text", text: noResults }],
      structuredContent: { results: [] },
    });
  }
  expect(await server.rest("POST /search", { query: "xylophone" })).toMatchObject({
    status: 200,
    body: { results: [], content: noResults },
  });
  expect(await server.qmd("search", "xylophone")).toMatchObject({
    code: 0,
    stdout: `${noResults}\n`,
  });
});

test("[search.search.limit] at most ten by default, on every surface", async () => {
  expect(await server.resultsOf("search", { query: "lantern" })).toHaveLength(10);
  expect(await server.resultsOf("search", { query: "lantern", limit: 3 })).toHaveLength(3);
  expect(await server.resultsOf("search", { query: "lantern", limit: 50 })).toHaveLength(12);
  expect((await server.qmd("search", "lantern", "-n", "2")).stdout.match(/^#/gm)).toHaveLength(2);
});

test("[search.search.weak-matches] weak matches are returned without minScore, and left out with it", async () => {
  const all = await server.resultsOf("search", { query: "meeting" });
  const [best, second, third] = all.map(({ score }) => score);
  if (best === undefined || second === undefined || third === undefined) throw new Error("few");
  expect(third).toBeLessThan(second);

  const strong = await server.resultsOf("search", { query: "meeting", minScore: second });
  expect(strong).toEqual(all.filter(({ score }) => score >= second));
  expect(await server.resultsOf("search", { query: "meeting", minScore: third })).toEqual(all);
});

test("[search.search.one-collection] only that collection is searched, and an unknown one is 404", async () => {
  const hits = await server.resultsOf("search", { query: "number meeting", collection: "many" });
  expect(hits).toHaveLength(10);
  expect(hits.every(({ file }) => file.startsWith("many/"))).toBe(true);
  expect(await server.failureOf("search", { query: "lantern", collection: "mony" })).toEqual({
    text: "Collection not found: mony\nDid you mean 'many'?",
    status: 404,
    code: 3,
  });
});

test("[search.search.tool-example] the documented test case: two results for a meeting, with a score of at least 0.5", async () => {
  for (const { over, call } of server.agents) {
    const answer = await call("search", { query: "meeting", limit: 5, minScore: 0.5 });
    expect(answer.content[0]?.text, over).toMatch(/^Found 2 results for "meeting":/);
    const { results } = answer.structuredContent;
    expect(results.map(({ file }) => file).sort(), over).toEqual([
      "notes/2025/second meeting.md",
      "notes/meeting.md",
    ]);
    expect(results.every(({ score }) => score >= 0.5)).toBe(true);
  }
});

test("[search.search.curl] the documented curl line works as written", async () => {
  const answer = JSON.parse(
    await server.runLine(`curl -X POST http://localhost:18765/search \\
  -H "Content-Type: application/json" \\
  -d '{"query": "meeting notes", "limit": 5, "min_score": 0.5}'`),
  );

  expect(answer.results.length).toBeGreaterThan(0);
  expect(answer.content).toMatch(/^Found \d results? for "meeting notes"\n\n#[0-9a-f]{6} \d+% \S/);
});

test("[search.snippet.own-lines] a snippet has the line numbers of the file", async () => {
  const [hit] = await server.resultsOf("search", { query: "sextant" });
  const shown = hit?.snippet.split("\n") ?? [];

  expect(shown).toContain(`120: ${lines[119]}`);
  for (const line of shown) {
    const [, number, text] = /^(\d+): (.*)$/.exec(line) ?? [];
    expect(lines[Number(number) - 1], line).toBe(text);
  }
});

test("[search.snippet.short] a snippet without its line numbers has at most 300 characters and contains the word", async () => {
  for (const query of ["sextant", "barometer", "weather", "padding", "chronometer"]) {
    const [hit] = await server.resultsOf("search", { query });
    const bare = (hit?.snippet ?? "").replace(/^\d+: /gm, "");
    expect(bare.length, query).toBeLessThanOrEqual(300);
    expect(bare, query).toContain(query);
  }
});

test("[search.search.several-words] command line words form one query, with or without quotes", async () => {
  const [unquoted, quoted] = [
    await server.qmd("search", "second", "meeting", "--json"),
    await server.qmd("search", "second meeting", "--json"),
  ];
  expect(unquoted).toEqual(quoted);
  expect(JSON.parse(unquoted.stdout)[0]).toMatchObject({ title: "Second meeting" });
});
