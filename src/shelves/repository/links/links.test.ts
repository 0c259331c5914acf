import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { makeDocumentationTree } from "../../../../tests/fixtures/repository/documentation-tree.ts";
import { createCall } from "../../../kernel/call.ts";
import { readSettings } from "../../../kernel/home/settings.ts";
import { createBoundary } from "../../../kernel/paths/boundary.ts";
import { findPages } from "../pages/page-set.ts";
import { isPublicAddress, requestUrls } from "./external-links.ts";
import { checkLinks, type LinkOptions } from "./link-check.ts";

async function report(
  root: string,
  path: string,
  signal?: AbortSignal,
  more: Partial<LinkOptions> = {},
) {
  const boundary = createBoundary({ base: root });
  const settings = readSettings({ root }, { LECTERN_HOME: root }, root);
  const call = createCall({ actor: { surface: "test" }, ...(signal && { signal }) });
  const documentation = await findPages({ boundary, settings }, path, call);
  const options = { internal: true, anchors: true, isIgnored: () => false, ...more };
  return checkLinks({ boundary }, documentation, options, call);
}

async function reportLines(root: string, path = "docs"): Promise<string[]> {
  const { links } = await report(root, path);
  return links.map(({ file, line, verdict }) =>
    [`${file}:${line}`, verdict.status, ...("fault" in verdict ? [verdict.fault] : [])].join(" "),
  );
}

/** A repository with these files, in its own folder. */
function repository(files: Record<string, string> = {}): string {
  const root = join(mkdtempSync(join(tmpdir(), "lectern-links-")), "repository");
  mkdirSync(root);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return root;
}

test("[repository.links.proof] in 2,000 pages with links of every kind, each link is classified correctly", async () => {
  const root = repository();
  const { expected } = makeDocumentationTree(root, 2_000, 7);

  const found = await reportLines(root);

  const [wanted, actual] = [new Set(expected), new Set(found)];
  expect(found.filter((one) => !wanted.has(one)).slice(0, 20)).toEqual([]);
  expect(expected.filter((one) => !actual.has(one)).slice(0, 20)).toEqual([]);
  expect([...found].sort()).toEqual([...expected].sort());
  expect(found.length).toBeGreaterThan(15_000);
});

/** The verdict on each destination on `docs/guide/start.md`. */
async function verdictsOn(site: Record<string, string>, destinations: readonly string[]) {
  const page = destinations.map((one) => `[x](${one})`).join("\n\n");
  const root = repository({
    ".git/HEAD": "",
    "docs/guide/start.md": `${page}\n\n# A & B\n`,
    ...site,
  });
  const reported = await reportLines(root);
  return reported
    .filter((one) => one.startsWith("docs/guide/start.md:"))
    .map((one) => one.replace(/^\S+ /, ""));
}

test("[repository.links.sites] site URLs resolve as the site generator resolves them", async () => {
  const docusaurus = {
    "docusaurus.config.js": "export default { baseUrl: '/lamp/' };",
    "docs/01-intro.md": "# Intro\n",
    "docs/own.md": "---\nslug: /named\n---\n# Own\n",
    "docs/folder/index.mdx": "# Folder\n",
    "docs/empty/picture.png": "",
    "docs/both.md": "# Both\n",
    "docs/both/part.md": "# Part\n",
    "static/img/logo.png": "",
  };
  const good = [
    "/docs/intro",
    "../intro",
    "/docs/own",
    "/lamp/docs/own",
    "/docs/named",
    "/img/logo.png",
    "@site/static/img/logo.png",
    "../both",
  ];
  const more = [
    "../own",
    "../own.md",
    "../folder",
    "../folder/",
    "./start",
    "start",
    "#a-b",
    "#a--b",
  ];
  expect(await verdictsOn(docusaurus, [...good, ...more])).toEqual(Array(16).fill("valid"));
  expect(
    await verdictsOn(docusaurus, [
      "/docs/gone",
      "../gone",
      "/img/gone.png",
      "../empty/",
      "/tags/x",
    ]),
  ).toEqual([
    "broken missing-file",
    "broken missing-file",
    "broken missing-file",
    "warning folder-without-page",
    "skipped",
  ]);
});

test("[repository.links.plain] without a site, links resolve to files and folders as on GitHub", async () => {
  const plain = { "docs/own.md": "# Own\n", "docs/folder/picture.png": "" };
  expect(
    await verdictsOn(plain, ["../own.md", "../folder/", "../own", "/docs/own", "#a--b", "#a-b"]),
  ).toEqual([
    "valid",
    "valid",
    "warning needs-site",
    "warning needs-site",
    "valid",
    "broken missing-anchor",
  ]);
});

test("[repository.links.remedy] a finding has its location, the link as written and a remedy", async () => {
  const root = repository({
    "docs/a.md": "# A\n\n[x](instal.md) [y](b.md#twoo)\n\n[z][far]\n\n[far]: moved.md\n",
    "docs/install.md": "# I\n",
    "docs/b.md": "# Two\n",
    "docs/deep/moved.md": "# M\n",
  });
  const { links } = await report(root, "docs");
  expect(
    links.map(({ file, line, written, definedAt, verdict }) => [
      `${file}:${line}`,
      written,
      definedAt,
      "remedy" in verdict && verdict.remedy(),
    ]),
  ).toEqual([
    ["docs/a.md:3", "[x](instal.md)", undefined, "Did you mean 'install.md'?"],
    ["docs/a.md:3", "[y](b.md#twoo)", undefined, "Did you mean '#two'?"],
    ["docs/a.md:5", "[z][far]", 7, "A page of this name is at 'deep/moved.md'."],
  ]);
});

test("a single page can be checked, and can link to all others", async () => {
  const root = repository({
    "docs/a.md": "[x](b.md#two) [y](gone.md)",
    "docs/b.md": "# Two\n[z](gone.md)",
  });
  expect(await reportLines(root, "docs/a.md")).toEqual([
    "docs/a.md:1 valid",
    "docs/a.md:1 broken missing-file",
  ]);
});

test("[repository.links.partial] an interrupted call returns its partial result and where it stopped", async () => {
  const root = repository({ "docs/a.md": "[x](b.md)", "docs/b.md": "# B\n" });
  const { stoppedAt, filesScanned } = await report(root, "docs", AbortSignal.abort());
  expect({ stoppedAt, filesScanned }).toEqual({ stoppedAt: "docs/a.md", filesScanned: 0 });
});

const everywhere = { timeoutMs: 5_000, concurrency: 2, isHostAllowed: () => true };

/** Why links were not checked. */
const reasons = ({ links }: Awaited<ReturnType<typeof report>>): unknown[] =>
  links.map(({ verdict }) => verdict.status === "skipped" && verdict.why);

test("[repository.links.partial] external links not checked in time are marked, and make the check partial", async () => {
  const root = repository({ "docs/a.md": "# A\n", "docs/b.md": "[x](https://example.org/)\n" });
  const time = new AbortController();
  const found = await report(root, "docs", time.signal, {
    outside: everywhere,
    // Called for each link before a web request.
    isIgnored() {
      time.abort();
      return false;
    },
  });

  expect(reasons(found)).toEqual(["the time limit was reached"]);
  expect(found.stoppedAt).toBe("docs/b.md");
});

test("an external link to a domain that is not allowed says so", async () => {
  const root = repository({ "docs/a.md": "[x](https://example.org/)\n" });
  const found = await report(root, "docs", undefined, {
    outside: { ...everywhere, isHostAllowed: () => false },
  });

  expect(reasons(found)).toEqual(["its domain is not among the allowed ones"]);
  expect(found.stoppedAt).toBeUndefined();
});

test("[repository.links.outside] HTTP responses are classified, and redirects are followed", async () => {
  const server = createServer(({ url, method }, response) => {
    const status = Number(/\d+/.exec(url ?? "")?.[0] ?? 200);
    if (url === "/moved") response.writeHead(301, { location: "/200" });
    else if (url === "/away") response.writeHead(302, { location: "http://localhost/200" });
    else if (url === "/circle") response.writeHead(302, { location: "/circle" });
    else if (url === "/only-get") response.writeHead(method === "GET" ? 200 : 405);
    else response.writeHead(status);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A listening server always has an address with a port.
  const { port } = server.address() as AddressInfo;
  const at = (path: string): string => `http://127.0.0.1:${port}${path}`;
  const paths = ["/200", "/404", "/503", "/moved", "/circle", "/only-get"];
  const options = { timeoutMs: 60_000, concurrency: 3, signal: new AbortController().signal };
  const answers = await requestUrls(paths.map(at), { ...options, isAddressAllowed: () => true });
  expect(
    paths.map((path) => answers.get(at(path))?.statusCode ?? answers.get(at(path))?.problem),
  ).toEqual([200, 404, 503, 200, "it redirects more than 5 times", 200]);
  const home = await requestUrls([at("/away")], {
    ...options,
    isAddressAllowed: () => true,
    isHostAllowed: (host) => host === "127.0.0.1",
  });
  expect([...home.values()].map(({ statusCode }) => statusCode)).toEqual([302]);
  const guarded = await requestUrls([at("/200"), `http://localhost:${port}/200`], options);
  expect([...guarded.values()].map(({ isPrivate, statusCode }) => [isPrivate, statusCode])).toEqual(
    [
      [true, undefined],
      [true, undefined],
    ],
  );
  server.close();
});

test("a response cut off midway does not count as broken", async () => {
  const time = new AbortController();
  const server = createServer(() => time.abort());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A listening server always has an address with a port.
  const { port } = server.address() as AddressInfo;
  const answers = await requestUrls([`http://127.0.0.1:${port}/`], {
    ...everywhere,
    signal: time.signal,
    isAddressAllowed: () => true,
  });
  server.close();

  expect(answers.size).toBe(0);
});

test("[repository.links.private] no request is sent to a private network", () => {
  const inside = [
    "127.0.0.1",
    "10.1.2.3",
    "192.168.0.1",
    "169.254.169.254",
    "172.20.0.1",
    "0.0.0.0",
  ];
  const six = ["::1", "::", "fe80::1", "fd00::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1"];
  expect([...inside, ...six].filter(isPublicAddress)).toEqual([]);
  expect(["93.184.216.34", "2606:2800:220:1::1"].filter(isPublicAddress)).toHaveLength(2);
});
