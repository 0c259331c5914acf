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
 * A home with two collections: one inside the force root, and one outside, which must stay
 * invisible to a process with the force root.
 */
const home = freshHome();
const root = join(home, "inside");
const outsideFolder = join(home, "elsewhere");
const flags = ["--root", root, "--force-root", root];

/** Occurs only in the file outside, and in no request. */
const secret = "quicksilver";

beforeAll(async () => {
  for (const folder of ["notes", "plans", "swapped"]) {
    mkdirSync(join(root, folder), { recursive: true });
  }
  mkdirSync(outsideFolder);
  writeFileSync(join(root, "notes", "harbour.md"), "# Harbour\n\nA lighthouse.\n");
  writeFileSync(join(root, "plans", "tower.md"), "# Tower\n\nA plan of the tower.\n");
  writeFileSync(join(root, "swapped", "page.md"), "# Page\n\nHarmless.\n");
  for (const name of ["secret.md", "page.md"]) {
    writeFileSync(join(outsideFolder, name), `# Mercury ${secret}\n\nMercury is ${secret}.\n`);
  }
  symlinkSync(join(outsideFolder, "secret.md"), join(root, "notes", "link.md"));
  symlinkSync(outsideFolder, join(root, "notes", "folder"));
  symlinkSync(outsideFolder, join(root, "way-out"));
  linkSync(join(outsideFolder, "secret.md"), join(root, "notes", "second-name.md"));
  for (const [name, folder] of Object.entries({
    notes: join(root, "notes"),
    swapped: join(root, "swapped"),
    private: outsideFolder,
  })) {
    const added = await runProgram(["collection", "add", folder, "--name", name], { home });
    expect(added.code, added.stderr).toBe(0);
  }
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Fails if an answer contains data from outside. It may repeat text of the request. */
function expectNothingLeaked(request: unknown, answer: unknown): void {
  const [question, text] = [JSON.stringify(request), JSON.stringify(answer)];
  const leaked = [secret, "root:x:0:0", outsideFolder, "private", join(home, "lectern")].filter(
    (forbidden) => text.includes(forbidden) && !question.includes(forbidden),
  );
  expect(leaked, `${question.slice(0, 300)} → ${text.slice(0, 2_000)}`).toEqual([]);
}

type Question = readonly [method: string, params: object];

/** Replaces the placeholders of the shared lists with paths that an attacker would try. */
const hostile = [
  ...badPaths.lines.flatMap((line) =>
    line.includes("{FILE}")
      ? ["etc/passwd", "elsewhere/secret.md"].map((file) => line.replace("{FILE}", file))
      : [line],
  ),
  ...[
    outsideFolder,
    home,
    "/",
    "way-out",
    "notes/folder",
    "../elsewhere",
    "inside/../../elsewhere",
  ],
  ...[
    outsideFolder,
    `${root}/../elsewhere`,
    "way-out",
    "notes/folder",
    "../elsewhere",
    "private",
  ].map((folder) => `${folder}/secret.md`),
  ...["secret.md", "link.md", "notes/link.md", "notes/second-name.md", "privat/secrets.md"],
];

async function startConfinedAgent() {
  const agent = startAgent(home, flags);
  onTestFinished(() => {
    agent.child.kill("SIGKILL");
  });
  await agent.initialize();
  return agent;
}

async function startConfinedServer() {
  const { url, stop } = await startServer(home, flags);
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
  const agent = await startConfinedAgent();
  const tool = (name: string, args: object): Question => ["tools/call", { name, arguments: args }];
  const questions: Question[] = [
    tool("search", { query: "mercury" }),
    tool("search", { query: "mercury", collection: "private" }),
    tool("search", { query: "mercury", collection: "privat" }),
    tool("get", { file: "private/secret.md" }),
    tool("get", { file: "secret.md" }),
    tool("get", { file: "qmd://private/secret.md" }),
    tool("get", { file: join(outsideFolder, "secret.md") }),
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
  const { send } = await startConfinedServer();
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

  const collection = await runProgram(["collection", "show", "private", "--json"], { home });
  expect(JSON.parse(collection.stdout)).toMatchObject({ path: outsideFolder, documents: 2 });
});

test("[core.force-root.foreign-collections] a person with a force root sees only what is inside", async () => {
  const runConfined = (...args: string[]) => runProgram([...args, ...flags], { home });
  for (const args of [
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
    expectNothingLeaked(args, await runConfined(...args));
  }
  // A hard link may have a name outside, so the file is not listed.
  expect((await runConfined("ls")).stdout.split("\n")).toEqual([
    ...["notes/harbour.md", "swapped/page.md", ""],
  ]);
  expect(await runConfined("collection", "add", "../elsewhere")).toMatchObject({ code: 5 });
});

test(`[core.force-root.paths] no path escapes for an agent (${badPaths.origin})`, async () => {
  const agent = await startConfinedAgent();
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
  expect(await agent.close()).toEqual({ code: 0, signal: null });
});

test(`[core.force-root.paths] no path escapes for a program (${badPaths.origin})`, async () => {
  const { send } = await startConfinedServer();
  const indexed: string[] = [];
  for (const [index, path] of hostile.entries()) {
    const [answer, added] = await Promise.all([
      send("POST", "/get", { file: path }),
      send("POST", "/collections/add", { name: `try-${index}`, path }),
    ]);
    for (const { status, text } of [answer, added]) {
      expectNothingLeaked(path, text);
      expect([path, status]).not.toEqual([path, 500]);
    }
    if (added.status === 200) indexed.push(JSON.parse(added.text).path);
  }
  for (const folder of indexed) expect(`${folder}/`).toContain(`${root}/`);
});

test("[core.force-root.swapped-link] a folder swapped with a link during calls gives no access outside", async () => {
  const [agent, server] = [await startConfinedAgent(), await startServer(home)];
  onTestFinished(async () => {
    await server.stop();
  });
  const [folder, movedAside] = [join(root, "swapped"), join(root, "aside")];
  const questions: Question[] = [
    ["tools/call", { name: "search", arguments: { query: "mercury page" } }],
    ["tools/call", { name: "get", arguments: { file: "swapped/page.md" } }],
    ["resources/read", { uri: "qmd://swapped/page.md" }],
  ];
  let answered = 0;
  for (const end = Date.now() + 6_000; Date.now() < end; ) {
    renameSync(folder, movedAside);
    symlinkSync(outsideFolder, folder);
    const askAll = async () => {
      for (const question of questions) {
        expectNothingLeaked(question, await agent.ask(...question));
      }
    };
    const request = Promise.all(Array.from({ length: 10 }, askAll));
    // The process without a force root may index the other folder meanwhile.
    await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 700));
    rmSync(folder);
    renameSync(movedAside, folder);
    await request;
    for (let turn = 0; turn < 10; turn++) await askAll();
    answered += 60;
  }
  expect(answered).toBeGreaterThan(100);
});

test("[core.force-root.index] a server with a force root keeps the whole index, and reports only what is inside", async () => {
  const { url } = await startConfinedServer();
  const events = await openEvents(url);
  onTestFinished(() => events.close());
  const outside = join(outsideFolder, "new.md");
  const listed = async () => (await runProgram(["ls", "private"], { home })).stdout;

  writeFileSync(outside, "# New\n");
  await expect.poll(listed).toContain("private/new.md");
  rmSync(outside);
  await expect.poll(listed).not.toContain("private/new.md");
  appendFileSync(join(root, "notes", "harbour.md"), "\nFog.\n");
  await expect
    .poll(() => events.notices)
    .toContainEqual({ topic: "resource.updated", about: "qmd://notes/harbour.md" });

  expectNothingLeaked("", events.notices);
});

const percentEncoded = (text: string): string =>
  Buffer.from(text).toString("hex").replace(/../g, "%$&");
