import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newerNode } from "../conformance/suite.ts";
import { showFigures } from "./figures.ts";
import { freshHome, startServer } from "./program.ts";
import { startAgent } from "./stdio-agent.ts";

const run = promisify(execFile);
const repository = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
const place = freshHome();
const project = join(place, "project");
const installed = join(project, "node_modules", "lectern");

interface Packed {
  filename: string;
  size: number;
  unpackedSize: number;
  files: { path: string; mode: number; size: number }[];
}

let packed: Packed;

/** What is built lies there already; a build of its own would pull it from under other tests. */
beforeAll(async () => {
  const flags = ["--ignore-scripts", "--json", "--pack-destination", place];
  const { stdout } = await run("npm", ["pack", ...flags], { cwd: repository });
  [packed] = JSON.parse(stdout);
  mkdirSync(project);
  const tarball = join(place, packed.filename);
  const quietly = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];
  await run("npm", ["install", ...quietly, "--prefix", project, tarball], { cwd: project });
}, 180_000);

afterAll(() => rmSync(place, { recursive: true, force: true }));

test("[house.package.contents] the tarball holds the program, its page, its sample and its licences, and no more", () => {
  const paths = packed.files.map(({ path }) => path);
  expect(paths).toEqual(
    expect.arrayContaining([
      ...["package.json", "README.md", "LICENSE", "dist/THIRD-PARTY.txt", "dist/web/index.html"],
      ...["dist/lectern.js", "dist/qmd.js", "dist/qmdc.js", "dist/index.js"],
      ...["sample/handbook/welcome.md", "sample/notes/灯台.md"],
    ]),
  );
  const strange = paths.filter((path) => !/^(dist|sample|docs)\/|^[A-Za-z.]+$/.test(path));
  expect(strange).toEqual([]);
  expect(paths.filter((path) => /test|\.tsx?$|\.map$|(^|\/)\./.test(path))).toEqual([]);
  showFigures(
    `The tarball has ${paths.length} files, ${kilobytes(packed.size)}; unpacked ${kilobytes(packed.unpackedSize)}.`,
    `Installed with what it depends on: ${kilobytes(sizeOf(join(project, "node_modules")))}.`,
  );
  const sizeWhere = (isWanted: (path: string) => boolean) =>
    packed.files.filter(({ path }) => isWanted(path)).reduce((sum, { size }) => sum + size, 0);
  const isModel = (path: string) => path.startsWith("dist/models/");
  expect(sizeWhere((path) => !isModel(path))).toBeLessThan(6_300_000);
  expect(sizeWhere(isModel)).toBeLessThan(50_000_000);
});

test("[house.package.no-own-paths] nothing in it names a folder of the machine that built it", () => {
  const own = [repository, dirname(repository), homedir()].filter((path) => path.length > 1);
  const named = packed.files.flatMap(({ path }) => {
    const text = readFileSync(join(installed, path), "utf8");
    return own.filter((folder) => namesFolder(text, folder)).map((folder) => [path, folder]);
  });
  expect(named).toEqual([]);
});

test("[house.package.manifest] the manifest asks for Node 20.19 and runs nothing on install", () => {
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

test("[house.package.bins] the three commands stand in node_modules/.bin and know their names", async () => {
  const { version } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  for (const [name, says] of [
    ["lectern", `lectern ${version}\n`],
    ["qmd", "qmd 1.0.0\n"],
    ["qmdc", `qmdc ${version}\n`],
  ] as const) {
    const { stdout, stderr } = await run(join(project, "node_modules", ".bin", name), [
      "--version",
    ]);
    expect([stdout, stderr]).toEqual([says, ""]);
  }
});

describe.each([
  ["the Node in use", process.execPath],
  ["a newer Node", newerNode],
])("on %s", (_, node) => {
  const program = [node, join(installed, "dist", "lectern.js")];

  test("[house.package.smoke] a person takes a folder in and finds a passage", async () => {
    const home = freshHome();
    const env = { ...process.env, LECTERN_HOME: home };
    const said = (...words: string[]) =>
      run(node, [...program.slice(1), ...words], { env }).then(({ stdout }) => stdout);
    await said("collection", "add", join(installed, "sample"), "--name", "sample");
    expect(await said("search", "borrow")).toContain("sample/handbook/lending.md");
    expect(await said("doctor")).toContain("All is well.");
    rmSync(home, { recursive: true, force: true });
  });

  test("[house.package.smoke] an agent on stdio is answered", async () => {
    const home = freshHome();
    const agent = startAgent(home, [], program);
    expect(await agent.greet()).toMatchObject({ result: { serverInfo: { name: "lectern" } } });
    expect(await agent.call("status")).toMatchObject({ structuredContent: { totalDocuments: 0 } });
    expect(await agent.leave()).toEqual({ code: 0, signal: null });
    rmSync(home, { recursive: true, force: true });
  });

  test("[house.package.smoke] the sample is served to programs and to browsers", async () => {
    const home = freshHome();
    const served = await startServer(home, ["--sample"], {}, program);
    try {
      const search = async () => {
        const answer = await fetch(`${served.url}/search`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ query: "lighthouse 灯台" }),
        });
        return answer.text();
      };
      await expect.poll(search, { timeout: 10_000 }).toContain("notes/灯台.md");
      const page = await fetch(served.url, { headers: { accept: "text/html" } });
      const html = await page.text();
      expect(html).toContain("<!doctype html>");
      for (const [, path] of html.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)) {
        expect([path, (await fetch(new URL(path ?? "", served.url))).status]).toEqual([path, 200]);
      }
    } finally {
      expect(await served.stop()).toBe(0);
      rmSync(home, { recursive: true, force: true });
    }
  });
});

/** As a path of its own, not as the end of a longer one. */
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
