import {
  appendFileSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { badPaths } from "../../fixtures/inputs/bad-paths.ts";
import { openEvents } from "../page-events.ts";
import { freshHome, runProgram, startServer } from "../program.ts";
import { startAgent } from "../stdio-agent.ts";

/**
 * A home that knows two collections: one inside the folder that a server is locked into, and one
 * outside, of which nobody who is locked in may learn anything.
 */
const home = freshHome();
const root = join(home, "inside");
const elsewhere = join(home, "elsewhere");
const fence = ["--root", root, "--force-root", root];

/** Stands in the file outside, and no test ever sends it. */
const secret = "quicksilver";

beforeAll(async () => {
  for (const folder of ["notes", "plans", "swapped"]) {
    mkdirSync(join(root, folder), { recursive: true });
  }
  mkdirSync(elsewhere);
  writeFileSync(join(root, "notes", "harbour.md"), "# Harbour\n\nA lighthouse.\n");
  writeFileSync(join(root, "plans", "tower.md"), "# Tower\n\nA plan of the tower.\n");
  writeFileSync(join(root, "swapped", "page.md"), "# Page\n\nHarmless.\n");
  for (const name of ["secret.md", "page.md"]) {
    writeFileSync(join(elsewhere, name), `# Mercury ${secret}\n\nMercury is ${secret}.\n`);
  }
  symlinkSync(join(elsewhere, "secret.md"), join(root, "notes", "link.md"));
  symlinkSync(elsewhere, join(root, "notes", "folder"));
  symlinkSync(elsewhere, join(root, "way-out"));
  linkSync(join(elsewhere, "secret.md"), join(root, "notes", "second-name.md"));
  for (const [name, folder] of Object.entries({
    notes: join(root, "notes"),
    swapped: join(root, "swapped"),
    private: elsewhere,
  })) {
    const added = await runProgram(["collection", "add", folder, "--name", name], { home });
    expect(added.code, added.stderr).toBe(0);
  }
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Fails where an answer tells of what lies outside. A caller's own words may come back to it. */
function expectNothingLeaked(asked: unknown, answer: unknown): void {
  const [question, text] = [JSON.stringify(asked), JSON.stringify(answer)];
  const leaked = [secret, "root:x:0:0", elsewhere, "private", join(home, "lectern")].filter(
    (word) => text.includes(word) && !question.includes(word),
  );
  expect(leaked, `${question.slice(0, 300)} → ${text.slice(0, 2_000)}`).toEqual([]);
}

type Question = readonly [method: string, params: object];

/** The lists' placeholders are filled with what an attacker would look for here. */
const hostile = [
  ...badPaths.lines.flatMap((line) =>
    line.includes("{FILE}")
      ? ["etc/passwd", "elsewhere/secret.md"].map((file) => line.replace("{FILE}", file))
      : [line],
  ),
  ...[elsewhere, home, "/", "way-out", "notes/folder", "../elsewhere", "inside/../../elsewhere"],
  ...[elsewhere, `${root}/../elsewhere`, "way-out", "notes/folder", "../elsewhere", "private"].map(
    (folder) => `${folder}/secret.md`,
  ),
  ...["secret.md", "link.md", "notes/link.md", "notes/second-name.md", "privat/secrets.md"],
];

async function fencedAgent() {
  const agent = startAgent(home, fence);
  onTestFinished(() => {
    agent.child.kill("SIGKILL");
  });
  await agent.greet();
  return agent;
}

async function fencedServer() {
  const { url, stop } = await startServer(home, fence);
  onTestFinished(async () => {
    await stop();
  });
  const send = async (method: string, path: string, body?: object) => {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(
      url + path,
      body ? { method, headers, body: JSON.stringify(body) } : { method },
    );
    return { status: answer.status, text: await answer.text() };
  };
  return { url, send };
}

test("[core.force-root.foreign-collections] an agent cannot see a collection outside the force root", async () => {
  const agent = await fencedAgent();
  const tool = (name: string, given: object): Question => [
    "tools/call",
    { name, arguments: given },
  ];
  const questions: Question[] = [
    tool("search", { query: "mercury" }),
    tool("search", { query: "mercury", collection: "private" }),
    tool("search", { query: "mercury", collection: "privat" }),
    tool("get", { file: "private/secret.md" }),
    tool("get", { file: "secret.md" }),
    tool("get", { file: "qmd://private/secret.md" }),
    tool("get", { file: join(elsewhere, "secret.md") }),
    tool("get", { file: "privat/secrets.md" }),
    tool("get", { file: "notes/second-name.md" }),
    tool("get", { file: "notes/link.md" }),
    tool("status", {}),
    ["resources/list", {}],
    ["resources/read", { uri: "qmd://private/secret.md" }],
    [
      "completion/complete",
      {
        ref: { type: "ref/resource", uri: "qmd://{+path}" },
        argument: { name: "path", value: "" },
      },
    ],
  ];
  for (const question of questions) {
    expectNothingLeaked(question, await agent.ask(...question));
  }

  expect(await agent.call("search", { query: "lighthouse" })).toMatchObject({
    structuredContent: { results: [{ file: "notes/harbour.md" }] },
  });
  expect(await agent.call("status")).toMatchObject({
    structuredContent: { collections: [{ name: "notes" }, { name: "swapped" }] },
  });
});

test("[core.force-root.foreign-collections] a program cannot see a collection outside", async () => {
  const { send } = await fencedServer();
  const questions: (readonly [method: string, path: string, body?: object])[] = [
    ["POST", "/search", { query: "mercury" }],
    ["POST", "/search", { query: "mercury", collection: "private" }],
    ["POST", "/get", { file: "private/secret.md" }],
    ["POST", "/tools/get", { arguments: { file: "secret.md" } }],
    ["GET", "/documents"],
    ["GET", "/documents?collection=private"],
    ["GET", "/collections"],
    ["GET", "/collections/private"],
    ["PUT", "/collections/private", { new_name: "mine" }],
    ["DELETE", "/collections/private"],
    ["POST", "/collections/add", { name: "p", path: "../elsewhere" }],
    ["POST", "/update", {}],
    ["GET", "/status"],
    ["GET", "/health"],
    ["GET", "/"],
  ];
  for (const question of questions) {
    expectNothingLeaked(question, await send(...question));
  }

  const kept = await runProgram(["collection", "show", "private", "--json"], { home });
  expect(JSON.parse(kept.stdout)).toMatchObject({ path: elsewhere, documents: 2 });
});

test("[core.force-root.foreign-collections] a person with a force root sees only what is inside", async () => {
  const runConfined = (...words: string[]) => runProgram([...words, ...fence], { home });
  for (const words of [
    ["search", "mercury"],
    ["search", "mercury", "-c", "private"],
    ["get", "private/secret.md"],
    ["get", "notes/second-name.md"],
    ["ls"],
    ["ls", "private"],
    ["status"],
    ["collection", "list"],
    ["collection", "show", "private"],
    ["collection", "remove", "private"],
    ["collection", "add", "../elsewhere"],
    ["collection", "add", "way-out", "--name", "w"],
    ["update"],
  ]) {
    expectNothingLeaked(words, await runConfined(...words));
  }
  // A file with a second name may lie outside, so it is not listed either.
  expect((await runConfined("ls")).stdout.split("\n")).toEqual([
    ...["notes/harbour.md", "swapped/page.md", ""],
  ]);
  expect(await runConfined("collection", "add", "../elsewhere")).toMatchObject({ code: 5 });
});

test(`[core.force-root.paths] no path escapes for an agent (${badPaths.origin})`, async () => {
  const agent = await fencedAgent();
  const spellings = (path: string): Question[] => [
    ["tools/call", { name: "get", arguments: { file: path } }],
    ["tools/call", { name: "get", arguments: { file: `qmd://${path}` } }],
    ["resources/read", { uri: `qmd://${path}` }],
    ["resources/read", { uri: `qmd://notes/${percentEncoded(path)}` }],
  ];
  for (const path of hostile) {
    const answers = spellings(path).map(async (question) => {
      expectNothingLeaked(question, await agent.ask(...question));
    });
    await Promise.all(answers);
  }
  expect(await agent.leave()).toEqual({ code: 0, signal: null });
}, 120_000);

test(`[core.force-root.paths] no path escapes for a program (${badPaths.origin})`, async () => {
  const { send } = await fencedServer();
  const taken: string[] = [];
  for (const [index, path] of hostile.entries()) {
    const [got, added] = await Promise.all([
      send("POST", "/get", { file: path }),
      send("POST", "/collections/add", { name: `try-${index}`, path }),
    ]);
    for (const { status, text } of [got, added]) {
      expectNothingLeaked(path, text);
      expect([path, status]).not.toEqual([path, 500]);
    }
    if (added.status === 200) taken.push(JSON.parse(added.text).path);
  }
  for (const folder of taken) expect(`${folder}/`).toContain(`${root}/`);
}, 120_000);

test("[core.force-root.swapped-link] a folder swapped with a link during calls gives no access outside", async () => {
  const [agent, free] = [await fencedAgent(), await startServer(home)];
  onTestFinished(async () => {
    await free.stop();
  });
  const [folder, aside] = [join(root, "swapped"), join(root, "aside")];
  const questions: Question[] = [
    ["tools/call", { name: "search", arguments: { query: "mercury page" } }],
    ["tools/call", { name: "get", arguments: { file: "swapped/page.md" } }],
    ["resources/read", { uri: "qmd://swapped/page.md" }],
  ];
  let answered = 0;
  for (const end = Date.now() + 6_000; Date.now() < end; ) {
    renameSync(folder, aside);
    symlinkSync(elsewhere, folder);
    const askAll = async () => {
      for (const question of questions) {
        expectNothingLeaked(question, await agent.ask(...question));
      }
    };
    const asked = Promise.all(Array.from({ length: 10 }, askAll));
    // The process without a fence takes the other folder in meanwhile, as it may.
    await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 700));
    rmSync(folder);
    renameSync(aside, folder);
    await asked;
    for (let again = 0; again < 10; again++) await askAll();
    answered += 60;
  }
  expect(answered).toBeGreaterThan(100);
}, 60_000);

test("[core.force-root.index] a server with a force root keeps the whole index, and reports only what is inside", async () => {
  const { url } = await fencedServer();
  const events = await openEvents(url);
  onTestFinished(() => events.close());
  const outside = join(elsewhere, "new.md");
  const listed = async () => (await runProgram(["ls", "private"], { home })).stdout;

  writeFileSync(outside, "# New\n");
  await expect.poll(listed, { timeout: 10_000 }).toContain("private/new.md");
  rmSync(outside);
  await expect.poll(listed, { timeout: 10_000 }).not.toContain("private/new.md");
  appendFileSync(join(root, "notes", "harbour.md"), "\nFog.\n");
  await expect
    .poll(() => events.received, { timeout: 10_000 })
    .toContainEqual({ topic: "resource.updated", about: "qmd://notes/harbour.md" });

  expectNothingLeaked("", events.received);
});

const percentEncoded = (text: string): string =>
  Buffer.from(text).toString("hex").replace(/../g, "%$&");
