import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startCluster } from "../../scripts/postgres/cluster.mjs";
import { whyNotInstallable } from "../../scripts/postgres/packages.mjs";
import { parsePostgresAddress } from "../../src/kernel/postgres/home-address.ts";
import { openPostgres } from "../../src/kernel/postgres/postgres-client.ts";
import { record } from "../fixtures/architecture/decision-library.ts";
import { openEvents } from "../journeys/page-events.ts";
import { lectern, runProgram, type Served, startServer } from "../journeys/program.ts";
import { startAgent } from "../journeys/stdio-agent.ts";
import { whyNoPostgres } from "../runner/shared-postgres.ts";
import { serverAddress } from "./test-database.ts";

const testServer = test.skipIf(whyNoPostgres !== undefined);

/** A new home on a server, used by the built program of several machines. */
function openTeamHome(database = serverAddress()) {
  const folder = mkdtempSync(join(tmpdir(), "lectern-team-"));
  const schema = `home_${randomBytes(6).toString("hex")}`;
  const address = `${database}?schema=${schema}`;
  onTestFinished(async () => {
    rmSync(folder, { recursive: true, force: true });
    const { primary, close } = openPostgres(parsePostgresAddress(database));
    await primary.script(`DROP SCHEMA IF EXISTS ${schema} CASCADE`).catch(() => undefined);
    await close();
  });
  const machine = (name: string): Record<string, string> => ({
    LECTERN_HOME: address,
    XDG_DATA_HOME: join(folder, name),
    LECTERN_TEST_POSTGRES: "",
  });
  const write = (path: string, text: string): void => {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  return {
    folder,
    address,
    write,
    machine,
    run: (args: readonly string[], env: Record<string, string> = {}) =>
      runProgram(args, { home: folder, env: { ...machine("shell"), ...env } }),
    async serve(name: string, args: readonly string[] = []): Promise<Served> {
      const server = await startServer(folder, args, machine(name));
      onTestFinished(() => void server.child.kill("SIGKILL"));
      return server;
    },
  };
}

async function request(server: Served, method: string, path: string, body?: unknown) {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: { "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function filesFound(server: Served, query: string): Promise<string[]> {
  const { body } = await request(server, "POST", "/search", { query });
  return ((body.results ?? []) as { file: string }[]).map(({ file }) => file);
}

testServer(
  "[scale.home.servers] what is written through one server is found and announced on another",
  async () => {
    const { folder, write, serve, run } = openTeamHome();
    write("docs/lamp.md", "# Lamp\n\nThe lamp is lit at dusk.\n");
    const [one, two] = [await serve("one"), await serve("two")];
    const events = await openEvents(two.url);
    onTestFinished(events.close);

    const path = join(folder, "docs");
    expect((await run(["collection", "add", path, "--name", "docs"])).stderr).toBe("");
    for (const server of [one, two]) {
      await expect.poll(() => filesFound(server, "lamp")).toEqual(["docs/lamp.md"]);
    }
    await expect
      .poll(() => events.notices.map(({ topic }) => topic))
      .toContain("collections.changed");

    write("docs/bell.md", "# Bell\n\nThe bell buoy rings.\n");
    for (const server of [one, two]) {
      await expect.poll(() => filesFound(server, "buoy")).toEqual(["docs/bell.md"]);
    }
    // The holder of the lease ends, and the other server watches from then on.
    expect(await one.stop()).toBe(0);
    write("docs/horn.md", "# Horn\n\nThe fog horn sounds.\n");
    await expect.poll(() => filesFound(two, "horn")).toEqual(["docs/horn.md"]);
    const again = await serve("one");
    expect(await filesFound(again, "horn")).toEqual(["docs/horn.md"]);
  },
);

testServer("[scale.home.revision] a write can be awaited on another server", async () => {
  const { folder, write, serve, run } = openTeamHome();
  write("docs/lamp.md", "# Lamp\n");
  await run(["collection", "add", join(folder, "docs"), "--name", "docs"]);
  const [one, two] = [await serve("one"), await serve("two")];
  for (let number = 0; number < 5; number++) {
    write(`docs/page${number}.md`, `# Page\n\nThe number is word${number}.\n`);
    const { body: updated } = await request(one, "POST", "/update", {});
    const { body } = await request(two, "POST", "/search", {
      query: `word${number}`,
      min_revision: updated.revision,
    });
    expect(body, JSON.stringify(updated)).toMatchObject({
      results: [{ file: `docs/page${number}.md` }],
    });
  }
});

testServer(
  "[scale.home.meaning] what is embedded through one process is found by meaning on another server",
  async () => {
    const { folder, write, serve, run } = openTeamHome();
    write("docs/lamp.md", "# Lamp\n\nThe lamp is lit at dusk.\n");
    write("docs/bread.md", "# Bread\n\nKnead the dough for ten minutes.\n");
    await run(["collection", "add", join(folder, "docs"), "--name", "docs"]);
    expect(await run(["embed"])).toMatchObject({ code: 0 });

    const server = await serve("one");
    const { body } = await request(server, "POST", "/vsearch", { query: "baking a loaf" });
    expect(body).toMatchObject({ results: [{ file: "docs/bread.md" }] });
  },
);

testServer(
  "[scale.home.proposals] an agent's proposal on one machine is accepted and undone on another",
  async () => {
    const { folder, write, run, machine } = openTeamHome();
    const decision = "docs/adr/0001-a.md";
    write(decision, record("1. A", "Proposed"));
    const status = () => readFileSync(join(folder, decision), "utf8");
    const before = status();
    const agent = startAgent(folder, ["--root", folder], lectern, machine("one"));
    onTestFinished(() => void agent.child.kill("SIGKILL"));
    await agent.initialize();
    const input = { kind: "status", id: "1", status: "accepted" };
    expect(await agent.call("propose-decision", input)).toMatchObject({
      structuredContent: { proposal_id: 1 },
    });

    const elsewhere = machine("two");
    expect((await run(["review"], elsewhere)).stdout).toContain(folder);
    expect(await run(["review", "accept", "1"], elsewhere)).toMatchObject({ code: 0 });
    expect(status()).not.toBe(before);
    const activity = await run(["activity", "--json"], elsewhere);
    const [{ id }] = JSON.parse(activity.stdout).changes;
    expect(await run(["undo", String(id)])).toMatchObject({ code: 0 });
    expect(status()).toBe(before);
  },
);

testServer(
  "[scale.home.confined] a force root and a read-only server restrict a home on PostgreSQL, too",
  async () => {
    const { folder, write, serve, run } = openTeamHome();
    write("inside/lamp.md", "# Lamp\n\nThe lamp is lit.\n");
    write("outside/secret.md", "# Secret\n\nThe lamp is quicksilver.\n");
    for (const name of ["inside", "outside"]) {
      await run(["collection", "add", join(folder, name), "--name", name]);
    }
    const confined = await serve("one", ["--force-root", join(folder, "inside")]);
    expect(await filesFound(confined, "lamp")).toEqual(["inside/lamp.md"]);
    for (const path of ["/status", "/collections", "/documents/outside/secret.md"]) {
      const { body } = await request(confined, "GET", path);
      expect(JSON.stringify(body)).not.toMatch(/quicksilver|outside"/);
    }
    const reader = await serve("two", ["--read-only"]);
    expect(await filesFound(reader, "lamp")).toHaveLength(2);
    const refused = await request(reader, "POST", "/contexts/add", { path: "inside", text: "no" });
    expect(refused.status).toBeGreaterThanOrEqual(400);
  },
);

test.skipIf(whyNotInstallable() !== undefined)(
  "[scale.home.failures] a wrong password and a stopped database are clear errors, and a server recovers",
  async () => {
    const cluster = await startCluster({
      hba: ["host all lectern 127.0.0.1/32 trust", "host all guest 127.0.0.1/32 scram-sha-256"],
    });
    onTestFinished(() => cluster.remove());
    const { primary, close } = openPostgres(parsePostgresAddress(cluster.url));
    await primary.script("CREATE ROLE guest LOGIN PASSWORD 'secret right'");
    await close();
    const { write, folder, run, serve } = openTeamHome(cluster.url);
    write("docs/lamp.md", "# Lamp\n\nThe lamp is lit.\n");
    const guest = cluster.url.replace("lectern@", "guest:secret-wrong@");

    const invalid = await run(["search", "lamp"], { LECTERN_HOME: "postgresql://u:secret@:0/x" });
    expect(invalid.stderr).toMatch(/^error: LECTERN_HOME cannot be used/);
    expect(invalid.stderr).not.toMatch(/secret|at /);
    const refused = await run(["status"], { LECTERN_HOME: guest });
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain("password authentication failed");
    expect(refused.stdout + refused.stderr).not.toContain("secret-wrong");

    await run(["collection", "add", join(folder, "docs"), "--name", "docs"]);
    expect((await run(["doctor"])).stdout).toMatch(/database +postgresql:.* answers/);
    expect(existsSync(join(folder, "postgresql:"))).toBe(false);
    const server = await serve("one");
    expect(await filesFound(server, "lamp")).toEqual(["docs/lamp.md"]);
    await cluster.stop();
    const failed = await request(server, "POST", "/search", { query: "lamp" });
    expect(failed.status).toBe(503);
    expect(JSON.stringify(failed.body)).toMatch(/refused the connection|was lost/);
    const command = await run(["search", "lamp"]);
    expect(command.code).not.toBe(0);
    expect(command.stderr).toContain("refused the connection");
    await cluster.start();
    await expect.poll(() => filesFound(server, "lamp")).toEqual(["docs/lamp.md"]);
  },
);
