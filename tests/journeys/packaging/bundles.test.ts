import { execFile, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import * as z from "zod";
import { showFigures } from "../figures.ts";
import { builtFile, freshHome, runProgram } from "../program.ts";
import { startAgent } from "../stdio-agent.ts";

const run = promisify(execFile);
const repository = fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, "");
const file = (path: string) => readFileSync(join(repository, path), "utf8");
const { name, version, mcpName, engines } = JSON.parse(file("package.json"));

/** The official bundle tool. */
const mcpb = join(repository, "node_modules", "@anthropic-ai", "mcpb", "dist", "cli", "cli.js");

/**
 * Starts the server twice as in a bundle's manifest, for a user who only selects a folder of
 * documents. `folder` contains the unpacked bundle.
 */
async function startFromManifest(folder: string) {
  const { server } = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
  const home = freshHome();
  const documents = freshHome();
  writeFileSync(join(documents, "lamp.md"), "# Lamp\n\nIt is lit at dusk.\n");
  const args = server.mcp_config.args.map((word: string) =>
    word.replace(/^\$\{__dirname\}/, folder).replace(/^\$\{user_config\.folder\}$/, documents),
  );
  // Clients replace this name with their own Node.
  expect(server.mcp_config.command).toBe("node");
  const cut = args.indexOf("mcp");
  const program = [process.execPath, ...args.slice(0, cut)];
  for (const _ of ["first", "second"]) {
    const agent = startAgent(home, args.slice(cut + 1), program);
    expect(await agent.initialize()).toMatchObject({ result: { serverInfo: { name: "lectern" } } });
    await expect
      .poll(() => agent.call("search", { query: "dusk" }))
      .toMatchObject({ structuredContent: { results: [{ title: "Lamp" }] } });
    expect(await agent.call("status")).toMatchObject({
      structuredContent: { collections: [{ path: documents }] },
    });
    expect(await agent.call("read_directory", { path: repository })).toMatchObject({
      isError: true,
    });
    expect(await agent.close()).toEqual({ code: 0, signal: null });
  }
}

test("[core.package.mcpb] the desktop bundle is valid, packed, and serves an agent", async () => {
  const manifest = join(repository, "packaging", "manifest.json");
  const { stdout } = await run(process.execPath, [mcpb, "validate", manifest]);
  expect(stdout).toContain("validation passes");
  const parsed = JSON.parse(file("packaging/manifest.json"));
  expect(parsed.version).toBe(version);
  expect(parsed.compatibility.runtimes).toEqual(engines);

  const folder = freshHome();
  const script = join(repository, "scripts", "mcpb.mjs");
  const { stdout: packed } = await run(process.execPath, [script, "--out", folder]);
  const bundle = join(folder, "bundle");
  await run(process.execPath, [mcpb, "unpack", packed.trim(), bundle]);
  const inside = JSON.parse(readFileSync(join(bundle, "manifest.json"), "utf8"));
  expect(inside.compatibility.platforms).toEqual([process.platform]);
  await startFromManifest(bundle);
});

/** The fields of an entry in the MCP registry that this one uses. */
const Named = z.strictObject({
  name: z.string(),
  description: z.string(),
  format: z.literal("filepath").optional(),
  isRequired: z.boolean().optional(),
});
const RegistryEntry = z.strictObject({
  $schema: z
    .url()
    .regex(
      /^https:\/\/static\.modelcontextprotocol\.io\/schemas\/\d{4}-\d\d-\d\d\/server\.schema\.json$/,
    ),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  packages: z
    .array(
      z.strictObject({
        registryType: z.literal("npm"),
        identifier: z.string(),
        version: z.string(),
        transport: z.strictObject({ type: z.literal("stdio") }),
        packageArguments: z.array(
          z.union([
            z.strictObject({ type: z.literal("positional"), value: z.string() }),
            Named.extend({ type: z.literal("named") }),
          ]),
        ),
        environmentVariables: z.array(Named),
      }),
    )
    .length(1),
});

test("[core.package.registry] server.json describes the package and how to start it", async () => {
  const entry = RegistryEntry.parse(JSON.parse(file("server.json")));
  const [pack] = entry.packages;
  // The registry compares the entry with this field of the published package.
  expect(entry.name).toBe(mcpName);
  expect([entry.version, pack?.version, pack?.identifier]).toEqual([version, version, name]);

  const home = freshHome();
  const agent = startAgent(home, [`${flagOf(pack)}=${home}`]);
  expect(await agent.initialize()).toMatchObject({ result: { serverInfo: { name: "lectern" } } });
  expect(await agent.close()).toEqual({ code: 0, signal: null });
});

/** The arguments are `mcp`, like those of the agents in these tests, and one flag. */
function flagOf(pack: z.output<typeof RegistryEntry>["packages"][number] | undefined) {
  const [first, second] = pack?.packageArguments ?? [];
  expect(first).toEqual({ type: "positional", value: "mcp" });
  return second?.type === "named" ? second.name : "";
}

/** A script of the built page, and its static imports. */
function scriptsFrom(name: string, known = new Set<string>()): Set<string> {
  if (known.has(name)) return known;
  known.add(name);
  const script = readFileSync(builtFile(`web/${name}`), "utf8");
  for (const [, next] of script.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)) {
    scriptsFrom(`assets/${next}`, known);
  }
  return known;
}

test("[core.package.page] the page's entry script is at most 120 kB compressed", () => {
  const page = readFileSync(builtFile("web/index.html"), "utf8");
  const scriptPaths = [...page.matchAll(/<(?:script|link)\b[^>]*?(?:src|href)="\/([^"]+\.js)"/g)];
  const scripts = new Set(scriptPaths.flatMap(([, name = ""]) => [...scriptsFrom(name)]));
  expect([...scripts]).toContain("look.js");
  expect(scripts.size).toBeGreaterThan(1);

  const sizes = [...scripts].map((name) => gzipSync(readFileSync(builtFile(`web/${name}`))).length);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(120_000);
});

test("[core.package.systemd] systemd-analyze reports no problem in the unit", async () => {
  const unit = join(repository, "packaging", "lectern.service");
  const lines = file("packaging/lectern.service").split("\n");
  expect(lines).toContain("ExecStart=/usr/bin/env lectern serve");
  expect(lines).toContain("NoNewPrivileges=yes");
  if (spawnSync("systemd-analyze", ["--version"]).error) {
    return showFigures("NOT RUN: systemd-analyze is not installed, so the unit was not verified.");
  }
  const { status, stderr } = spawnSync("systemd-analyze", ["verify", unit], { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);

  const broken = join(freshHome(), "lectern.service");
  writeFileSync(broken, file("packaging/lectern.service").replace("[Service]", "[Servce]"));
  expect(spawnSync("systemd-analyze", ["verify", broken]).status).not.toBe(0);
});

/** The instructions of a Dockerfile, each with its lines joined. */
function instructions(): [word: string, rest: string][] {
  return file("Dockerfile")
    .replace(/^#.*$/gm, "")
    .replace(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line): [string, string] => {
      const cut = line.indexOf(" ");
      return [line.slice(0, cut), line.slice(cut + 1).trim()];
    });
}

test("[core.package.container] the image is built from the tarball alone and runs as nobody", () => {
  const all = instructions();
  const last = all.slice(all.findLastIndex(([word]) => word === "FROM"));
  const argumentsOf = (word: string, of = all) =>
    of.filter(([it]) => it === word).map(([, rest]) => rest);
  const known = /^(FROM|WORKDIR|COPY|RUN|ENV|USER|VOLUME|EXPOSE|HEALTHCHECK|ENTRYPOINT|CMD)$/;
  expect(all.map(([word]) => word).filter((word) => !known.test(word))).toEqual([]);

  expect(file(".dockerignore").trim().split("\n")).toEqual(["*", "!lectern-*.tgz"]);
  expect(argumentsOf("COPY").map((rest) => rest.split(" ").at(-2))).toEqual([
    "lectern-*.tgz",
    "/opt/lectern",
  ]);
  for (const image of argumentsOf("FROM")) expect(image).toMatch(/^node:\d+-slim( AS \w+)?$/);
  expect(argumentsOf("USER", last)).toEqual(["1001:1001"]);
  // After the USER instruction, nothing is created or copied by root.
  const after = last.slice(last.findIndex(([word]) => word === "USER")).map(([word]) => word);
  expect(after).not.toContain("RUN");
  expect(after).not.toContain("COPY");
  expect(argumentsOf("VOLUME")).toEqual(["/data"]);
  expect(argumentsOf("ENV").join(" ")).toContain("LECTERN_HOME=/data");
  expect(argumentsOf("ENV").join(" ")).not.toMatch(/TOKEN|SECRET|PASSWORD/);
  expect(argumentsOf("RUN")[0]).toMatch(/^npm install .*--ignore-scripts --omit=dev/);
  expect(JSON.parse(argumentsOf("ENTRYPOINT")[0] ?? "")).toEqual(["lectern"]);
  expect(JSON.parse(argumentsOf("CMD")[0] ?? "")).toEqual(["serve", "--host", "0.0.0.0"]);
});

test.each(["lectern", "qmd", "qmdc"])(
  "[core.package.manual] the manual and the completions of %s contain every command of its help",
  async (program) => {
    const home = freshHome();
    const outputOf = async (...args: string[]) =>
      (await runProgram(args, { home, file: builtFile(`${program}.js`) })).stdout;
    const help = await outputOf("--help");
    const commands = [...help.matchAll(/^ {2}([a-z][a-z -]*?)(?: [<[]| {2})/gm)].map(
      ([, args]) => args?.trim() ?? "",
    );
    expect(commands.length).toBeGreaterThan(30);
    const manual = (await outputOf("man")).replaceAll("\\-", "-");
    expect(commands.filter((args) => !manual.includes(`.B ${program} ${args}`))).toEqual([]);
    for (const shell of ["bash", "zsh", "fish"]) {
      const script = await outputOf("completion", shell);
      const unknown = commands.filter(
        (args) => !args.split(" ").every((it) => script.includes(it)),
      );
      expect([shell, unknown]).toEqual([shell, []]);
    }
  },
);
