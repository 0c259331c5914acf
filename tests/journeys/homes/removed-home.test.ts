import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { httpClientAt } from "../../torture/http-client.ts";
import { freshHome, runProgram, startServer } from "../program.ts";
import { startAgent } from "../stdio-agent.ts";

/** A server over one folder, with a home inside a folder that stays when the home goes. */
async function served(words: (documents: string) => string[] = () => []) {
  const top = freshHome();
  const [home, documents] = [join(top, "home"), join(top, "documents")];
  for (const folder of [home, documents]) mkdirSync(folder);
  writeFileSync(join(documents, "a.md"), "# A\n\nalbatross\n");
  await runProgram(["collection", "add", documents, "--name", "notes"], { home, cwd: top });
  const start = () => startServer(home, ["--root", documents, ...words(documents)]);
  const server = await start();
  onTestFinished(async () => {
    server.child.kill("SIGKILL");
    rmSync(top, { recursive: true, force: true });
  });
  return { top, home, documents, server, start, visitor: httpClientAt(server.url) };
}

const proposal = { kind: "new", title: "Keep the lamp lit" };

test.each([
  ["a plain server", () => []],
  ["a server with a force root", (documents: string) => ["--force-root", documents]],
])(
  "[core.removed-home.server] %s whose home is removed says so, refuses writes, and searches on",
  async (_, words) => {
    const { home, server, start, visitor } = await served(words);
    expect(await visitor.send("GET", "/health")).toMatchObject({ status: 200 });
    await visitor.tool("propose-decision", proposal);
    rmSync(home, { recursive: true });

    const health = await visitor.send("GET", "/health");
    expect(health).toMatchObject({
      status: 503,
      body: { status: "unhealthy", reason: expect.stringContaining("home was removed") },
    });
    expect(JSON.stringify(health.body)).not.toContain(home);
    await expect(visitor.tool("propose-decision", proposal)).rejects.toThrow(
      /503.*home was removed/,
    );
    const added = await visitor.send("POST", "/contexts/add", { path: "notes", text: "words" });
    expect(added.status).toBe(503);
    const qualitative = ["create_project", { path: "new.qda" }] as const;
    await expect(visitor.tool(...qualitative)).rejects.toThrow(/503.*home was removed/);
    await expect(visitor.tool("list_codes", {})).rejects.toThrow(/503.*home was removed/);
    expect(existsSync(home)).toBe(false);
    const found = await visitor.send("POST", "/search", { query: "albatross" });
    expect([found.status, JSON.stringify(found.body)]).toEqual([
      200,
      expect.stringContaining("a.md"),
    ]);
    expect(await server.stop()).toBe(0);

    mkdirSync(home, { recursive: true });
    const again = await start();
    onTestFinished(() => void again.child.kill("SIGKILL"));
    const fresh = httpClientAt(again.url);
    expect(await fresh.send("GET", "/health")).toMatchObject({ status: 200 });
    await fresh.tool("propose-decision", proposal);
  },
);

test("[core.removed-home.shared] processes of a replaced home do not touch the new one", async () => {
  const { top, home, documents, server, visitor } = await served();
  const agent = startAgent(home);
  onTestFinished(() => void agent.child.kill("SIGKILL"));
  await agent.greet();
  await agent.call("status");
  // A socket cannot be copied.
  cpSync(home, `${home}-copy`, { recursive: true, filter: (path) => !path.endsWith(".sock") });
  renameSync(home, `${home}-before`);
  renameSync(`${home}-copy`, home);
  expect(await visitor.send("GET", "/health")).toMatchObject({ status: 503 });

  // The new home gets a keeper of its own, though those of the old one still run.
  const newcomer = await startServer(home, ["--root", documents]);
  onTestFinished(() => void newcomer.child.kill("SIGKILL"));
  writeFileSync(join(documents, "b.md"), "# B\n\nbittern\n");
  const found = async () =>
    JSON.stringify(
      (await httpClientAt(newcomer.url).send("POST", "/search", { query: "bittern" })).body,
    ).includes("b.md");
  await expect.poll(found, { timeout: 20_000, interval: 50 }).toBe(true);
  expect(await server.stop()).toBe(0);
  const { stdout } = await runProgram(["search", "bittern"], { home, cwd: top });
  expect(stdout).toContain("b.md");
});

test("[core.removed-home.config] if the configuration is deleted under a server, health reports it, writes are refused and search works", async () => {
  const { home, visitor } = await served();
  await visitor.send("POST", "/search", { query: "albatross" });
  rmSync(join(home, "config.json"));
  expect(await visitor.send("GET", "/health")).toMatchObject({
    status: 503,
    body: { reason: expect.stringContaining("configuration file was removed") },
  });
  const added = await visitor.send("POST", "/contexts/add", { path: "notes", text: "words" });
  expect(added.status).toBe(503);
  const found = await visitor.send("POST", "/search", { query: "albatross" });
  expect(JSON.stringify(found.body)).toContain("a.md");
  const { stdout } = await runProgram(["doctor"], { home });
  expect(stdout).toMatch(/^warn +config .*is missing, but its backup exists/m);
  cpSync(join(home, "config.json.bak"), join(home, "config.json"));
  expect(await visitor.send("GET", "/health")).toMatchObject({ status: 200 });
});
