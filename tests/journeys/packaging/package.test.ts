import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newerNode } from "../../conformance/suite.ts";
import { showFigures } from "../figures.ts";
import { freshHome, startServer } from "../program.ts";
import { startAgent } from "../stdio-agent.ts";

const run = promisify(execFile);
const repository = fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, "");
const installFolder = freshHome();
const project = join(installFolder, "project");
const installed = join(project, "node_modules", "lectern");

interface Packed {
  filename: string;
  size: number;
  unpackedSize: number;
  files: { path: string; mode: number; size: number }[];
}

let packed: Packed;

/** Packs the existing build; another build would replace files that other tests use. */
beforeAll(async () => {
  const flags = ["--ignore-scripts", "--json", "--pack-destination", installFolder];
  const { stdout } = await run("npm", ["pack", ...flags], { cwd: repository });
  [packed] = JSON.parse(stdout);
  mkdirSync(project);
  const tarball = join(installFolder, packed.filename);
  const quietly = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];
  await run("npm", ["install", ...quietly, "--prefix", project, tarball], { cwd: project });
});

afterAll(() => rmSync(installFolder, { recursive: true, force: true }));

/** The allowed files of the tarball. */
const known = [
  /^(package\.json|server\.json|README\.md|CHANGELOG\.md|LICENSE)$/,
  /^dist\/(lectern|qmd|qmdc|index|start|main|command-client|host-worker)\.js$/,
  /^dist\/main\.js\.map$/,
  /^dist\/(host|sql|symbols)\.mjs$/,
  /^dist\/(package\.json|THIRD-PARTY\.txt|sbom\.cdx\.json)$/,
  /^dist\/convert\/[\w./-]+\.(mjs|js|wasm|bcmap|pfb|ttf|icc)$|^dist\/convert\/[\w./-]*LICENSE\w*$/,
  /^dist\/models\/(LICENSE|NOTICE|run\.mjs)$/,
  /^dist\/models\/(minilm|reranker)\/(model\.onnx|tokenizer\.json|config\.json|MODEL_CARD\.md)$/,
  /^dist\/web\/(index\.html|[\w.-]+\.(svg|js))$|^dist\/web\/assets\/[\w.-]+\.(js|css|svg|woff2)$/,
  /^docs\/([\w-]+\/)*[\w.-]+\.(md|svg)$/,
  /^sample\/([\w-]+\/)*[^/]+\.(md|json|txt)$/,
];

test("[core.package.contents] the tarball contains only the program, the web app, the sample and the licenses", () => {
  const paths = packed.files.map(({ path }) => path);
  expect(paths).toEqual(
    expect.arrayContaining([
      ...["package.json", "README.md", "CHANGELOG.md", "LICENSE", "server.json"],
      ...["dist/THIRD-PARTY.txt", "dist/sbom.cdx.json", "dist/web/index.html"],
      ...["dist/lectern.js", "dist/qmd.js", "dist/qmdc.js", "dist/index.js"],
      ...["dist/models/minilm/model.onnx", "dist/models/NOTICE", "docs/security.md"],
      ...["sample/handbook/welcome.md", "sample/notes/灯台.md"],
    ]),
  );
  expect(paths.filter((path) => !known.some((pattern) => pattern.test(path)))).toEqual([]);
  showFigures(
    `The tarball has ${paths.length} files, ${kilobytes(packed.size)}; unpacked ${kilobytes(packed.unpackedSize)}.`,
    `Installed with what it depends on: ${kilobytes(sizeOf(join(project, "node_modules")))}.`,
  );
  const sizeWhere = (isWanted: (path: string) => boolean) =>
    packed.files.filter(({ path }) => isWanted(path)).reduce((sum, { size }) => sum + size, 0);
  const isModel = (path: string) => path.startsWith("dist/models/");
  // The source map takes about 0.5 MB of this.
  expect(sizeWhere((path) => !isModel(path))).toBeLessThan(7_500_000);
  expect(sizeWhere(isModel)).toBeLessThan(50_000_000);
});

test("[core.package.no-own-paths] the package contains no path of the build machine", () => {
  const ownPaths = [repository, dirname(repository), homedir()].filter((path) => path.length > 1);
  const containing = packed.files.flatMap(({ path }) => {
    const text = readFileSync(join(installed, path), "utf8");
    return ownPaths.filter((folder) => namesFolder(text, folder)).map((folder) => [path, folder]);
  });
  expect(containing).toEqual([]);
});

test("[core.package.manifest] the manifest requires Node 20.19 and has no install scripts", () => {
  const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  expect(manifest.engines).toEqual({ node: ">=20.19" });
  expect(manifest.license).toBe("MIT");
  expect(Object.keys(manifest.bin)).toEqual(["lectern", "qmd", "qmdc"]);
  for (const script of ["preinstall", "install", "postinstall"]) {
    expect(manifest.scripts).not.toHaveProperty(script);
  }
  const notices = readFileSync(join(installed, "dist", "THIRD-PARTY.txt"), "utf8");
  for (const name of ["zod", "hono", "@modelcontextprotocol/server", "preact", "ignore"]) {
    expect(notices).toMatch(new RegExp(`^${name} \\d`, "m"));
  }
});

interface Component {
  "bom-ref": string;
  type: string;
  name: string;
  version: string;
  hashes?: unknown[];
  licenses?: unknown[];
  properties: { name: string; value: string }[];
}

const componentLocation = ({ properties }: Component) => properties[0]?.value;

test("[core.package.sbom] the bill of materials lists the bundled and the installed dependencies", async () => {
  const bill = JSON.parse(readFileSync(join(installed, "dist", "sbom.cdx.json"), "utf8"));
  expect(bill).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.5" });
  const components: Component[] = bill.components;
  const refs = components.map((component) => component["bom-ref"]);
  expect(new Set(refs).size).toBe(refs.length);
  for (const { name, licenses, hashes } of components) {
    expect([name, licenses?.length, hashes?.length]).toEqual([name, 1, 1]);
  }

  const notices = readFileSync(join(installed, "dist", "THIRD-PARTY.txt"), "utf8");
  const bundled = [...notices.matchAll(/^(\S+) (\d\S*) \(.*\)$/gm)].map(
    ([, name, is]) => `${name}@${is}`,
  );
  expect(bundled.length).toBeGreaterThan(20);
  const listed = components.filter(
    (it) => it.type === "library" && componentLocation(it) === "bundled",
  );
  expect(listed.map((it) => it["bom-ref"]).sort()).toEqual(bundled.sort());

  const args = ["sbom", "--sbom-format", "cyclonedx", "--omit", "dev", "--package-lock-only"];
  const { stdout } = await run("npm", args, { cwd: repository });
  const wanted: Component[] = JSON.parse(stdout).components;
  expect(wanted.length).toBeGreaterThan(5);
  expect(refs).toEqual(expect.arrayContaining(wanted.map((it) => it["bom-ref"])));
  const models = components.filter(({ type }) => type === "machine-learning-model");
  expect(models.map(({ name }) => name)).toEqual(["all-MiniLM-L6-v2", "lectern-reranker-en-1"]);
});

test("[core.package.container] the steps of the image work: it runs as another user, and writes only to its home", async () => {
  const home = freshHome();
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    // The parent folder belongs to this test, and other users cannot access it.
    chmodSync(dirname(home), 0o711);
    for (const folder of [installFolder, project]) chmodSync(folder, 0o755);
    chownSync(home, 1001, 1001);
  } else showFigures("Not root, so the steps were run, but not as user 1001.");
  const user = isRoot ? { uid: 1001, gid: 1001 } : {};
  const token = "a-token-for-this-test";
  const env = { PATH: process.env.PATH, LECTERN_HOME: home, LECTERN_TOKEN: token };
  const before = filesIn(installed);
  const args = [
    join(installed, "dist", "lectern.js"),
    "serve",
    "--host",
    "0.0.0.0",
    "--allow-host",
    "docs.example.org",
    "--port",
    "0",
  ];
  const child = spawn(process.execPath, args, { cwd: home, env, ...user });
  try {
    const url = await new Promise<string>((resolve, reject) => {
      let output = "";
      child.stderr.on("data", (chunk: Buffer) => {
        output += chunk;
        const port = /http:\/\/[^\s/]+:(\d+)/.exec(output)?.[1];
        if (port) resolve(`http://127.0.0.1:${port}`);
      });
      child.once("exit", (code) => reject(new Error(`serve ended with ${code}: ${output}`)));
    });
    expect(await healthOf(url, token)).toBe(0);
    expect((await fetch(`${url}/status`)).status).toBe(401);
    const headers = { authorization: "Bearer another-token" };
    expect((await fetch(`${url}/status`, { headers })).status).toBe(401);
    // Behind a proxy, requests have the public host name.
    expect(await statusFor(url, "docs.example.org", token)).toBe(200);
    expect(await statusFor(url, "docs.example.com", token)).toBe(403);
  } finally {
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  }
  expect(filesIn(installed)).toEqual(before);
  expect(readdirSync(home)).toContain("lectern.sqlite");
});

async function statusFor(url: string, host: string, token: string): Promise<number | undefined> {
  const clientRequest = request(`${url}/status`, {
    headers: { host, authorization: `Bearer ${token}` },
  });
  clientRequest.end();
  const [response] = (await once(clientRequest, "response")) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

/** The exit code of the image's health check, with another port. */
async function healthOf(url: string, token: string): Promise<number> {
  const dockerfile = readFileSync(join(repository, "Dockerfile"), "utf8");
  const args: string[] = JSON.parse(/HEALTHCHECK[^[]*(\[.*\])/.exec(dockerfile)?.[1] ?? "[]");
  expect(args.slice(0, 2)).toEqual(["node", "-e"]);
  const script = (args[2] ?? "").replace("http://127.0.0.1:18765", url);
  const env = { ...process.env, LECTERN_TOKEN: token };
  return run(process.execPath, ["-e", script], { env }).then(
    () => 0,
    ({ code }: { code: number }) => code,
  );
}

/** Every file below a folder, with its size and modification time. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => {
      const { size, mtimeMs } = statSync(join(folder, path));
      return `${path} ${size} ${mtimeMs}`;
    })
    .sort();

test("[core.package.bins] the three commands are installed in node_modules/.bin and run under their names", async () => {
  const { version } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  for (const [name, versionText] of [
    ["lectern", `lectern ${version}\n`],
    ["qmd", "qmd 1.0.0\n"],
    ["qmdc", `qmdc ${version}\n`],
  ] as const) {
    const { stdout, stderr } = await run(join(project, "node_modules", ".bin", name), [
      "--version",
    ]);
    expect([stdout, stderr]).toEqual([versionText, ""]);
  }
});

describe.each([
  ["the Node in use", process.execPath],
  ["a newer Node", newerNode],
])("on %s", (_, node) => {
  const program = [node, join(installed, "dist", "lectern.js")];

  test("[core.package.smoke] a person adds a folder and finds a passage", async () => {
    const home = freshHome();
    const env = { ...process.env, LECTERN_HOME: home };
    const lectern = (...args: string[]) =>
      run(node, [...program.slice(1), ...args], { env }).then(({ stdout }) => stdout);
    await lectern("collection", "add", join(installed, "sample"), "--name", "sample");
    expect(await lectern("search", "borrow")).toContain("sample/handbook/lending.md");
    expect(await lectern("doctor")).toContain("No problems found.");
    rmSync(home, { recursive: true, force: true });
  });

  test("[core.package.smoke] an agent on stdio is answered", async () => {
    const home = freshHome();
    const agent = startAgent(home, [], program);
    expect(await agent.initialize()).toMatchObject({ result: { serverInfo: { name: "lectern" } } });
    expect(await agent.call("status")).toMatchObject({ structuredContent: { totalDocuments: 0 } });
    expect(await agent.close()).toEqual({ code: 0, signal: null });
    rmSync(home, { recursive: true, force: true });
  });

  test("[core.package.smoke] the sample is served to programs and browsers", async () => {
    const home = freshHome();
    const server = await startServer(home, ["--sample"], {}, program);
    try {
      const search = async () => {
        const answer = await fetch(`${server.url}/search`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ query: "lighthouse 灯台" }),
        });
        return answer.text();
      };
      await expect.poll(search).toContain("notes/灯台.md");
      const page = await fetch(server.url, { headers: { accept: "text/html" } });
      const html = await page.text();
      expect(html).toContain("<!doctype html>");
      for (const [, path] of html.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)) {
        expect([path, (await fetch(new URL(path ?? "", server.url))).status]).toEqual([path, 200]);
      }
    } finally {
      expect(await server.stop()).toBe(0);
      rmSync(home, { recursive: true, force: true });
    }
  });
});

/** Matches a path, but not as the end of a longer one. */
function namesFolder(text: string, folder: string): boolean {
  const parts = text.split(`${folder}/`);
  return parts.slice(0, -1).some((before) => !/[\w.-]$/.test(before));
}

const kilobytes = (bytes: number): string => `${Math.round(bytes / 1_000).toLocaleString("en")} kB`;

function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sum + sizeOf(path);
    return sum + (entry.isFile() ? statSync(path).size : 0);
  }, 0);
}
