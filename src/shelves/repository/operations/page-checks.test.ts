import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { outcomeOf } from "../../../../tests/fixtures/library/named-call.ts";
import { readSettings } from "../../../kernel/home/settings.ts";
import { openApp } from "../../../kernel/runtime/app.ts";
import { createLog } from "../../../kernel/runtime/log.ts";
import { repository } from "../shelf.ts";

/** Calls a tool on a repository with these files; returns its data, or the failure's message. */
function openedOn(files: Record<string, string>, env: Record<string, string> = {}) {
  const home = mkdtempSync(join(tmpdir(), "lectern-pages-"));
  const root = join(home, "repository");
  for (const [file, text] of Object.entries({ ".git/HEAD": "", ...files })) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  const library = openApp({
    shelves: [repository],
    settings: readSettings({ root }, { LECTERN_HOME: home, ...env }, home),
    identity: { name: "lectern", title: "Lectern", version: "0.0.0" },
    log: createLog({ level: "error", write: (line) => process.stderr.write(line) }),
  });
  return {
    root,
    async call(name: string, input: object): Promise<Data> {
      const outcome = await outcomeOf(library, name, input);
      // Validated by the output schema; each test declares the fields it reads.
      if (outcome.ok) return (outcome.value as { data: Data }).data;
      return { failure: outcome.failure?.explanation, code: outcome.failure?.code };
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: tests inspect answers of many shapes
type Data = Record<string, any>;

/** `docs/a.md:3 rule` for each finding. */
const places = (data: Data): string[] =>
  (data.issues ?? []).map(
    ({ location, rule }: Data) => `${location.file}:${location.line} ${rule}`,
  );

test("[repository.links.bounded] results are paged, and every link is listed once", async () => {
  const text = Array.from({ length: 7 }, (_, n) => `[x](gone-${n}.md)`).join("\n\n");
  const { call } = openedOn({ "docs/a.md": `${text}\n\n[b](a.md)\n` });
  const seen: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const data = await call("check_documentation_links", { limit: 3, ...(cursor && { cursor }) });
    seen.push(...data.results.map(({ url }: Data) => url));
    expect(data.summary).toMatchObject({
      totalLinks: 8,
      brokenLinks: 7,
      validLinks: 1,
      filesScanned: 1,
    });
    cursor = data.next_cursor;
    if (cursor === undefined) break;
  }
  expect(seen).toEqual(Array.from({ length: 7 }, (_, n) => `gone-${n}.md`));
});

test("[repository.links.formats] the caller can request counts, problems or every link", async () => {
  const { call } = openedOn({ "docs/a.md": "[x](gone.md) [y](a.md)" });
  const count = async (output_format: string) =>
    (await call("check_documentation_links", { output_format })).results.length;
  expect([await count("summary"), await count("detailed"), await count("json")]).toEqual([0, 1, 2]);
});

test("[repository.links.refusals] broken links fail the call on request, and a folder without pages always does", async () => {
  const { call } = openedOn({ "docs/a.md": "[x](gone.md)", "empty/b.txt": "" });
  expect(await call("check_documentation_links", { fail_on_broken_links: true })).toEqual({
    code: "BROKEN_LINKS_FOUND",
    failure: "1 broken link found\ndocs/a.md:1 gone.md",
  });
  expect(await call("check_documentation_links", { documentation_path: "empty" })).toMatchObject({
    code: "NO_DOCUMENTATION_FILES",
  });
});

test("[repository.links.offline] external links are skipped unless both the person and the caller allow them", async () => {
  const files = { "docs/a.md": "[x](http://127.0.0.1:9/page)" };
  const asked = { check_external_links: true, output_format: "json" };
  const offline = await openedOn(files).call("check_documentation_links", asked);
  expect(offline.results).toMatchObject([
    { status: "skipped", reason: "external links are not checked" },
  ]);
  expect(offline.configuration).toMatchObject({
    externalLinksAllowed: false,
    externalLinksChecked: false,
  });
  const { call } = openedOn(files, { LECTERN_ALLOW_NETWORK: "1" });
  const allowed = await call("check_documentation_links", asked);
  expect(allowed.results).toMatchObject([
    { status: "skipped", reason: "it is in a private network" },
  ]);
  const unasked = await call("check_documentation_links", { output_format: "json" });
  expect(unasked.configuration).toMatchObject({ externalLinksChecked: false });
});

test("[repository.links.ignored] ignore patterns exclude links, and an invalid one is named", async () => {
  const { call } = openedOn({ "docs/a.md": "[x](gone.md) [y](api/gone.md)" });
  const data = await call("check_documentation_links", { ignore_patterns: ["^api/"] });
  expect(data.results.map(({ url }: Data) => url)).toEqual(["gone.md"]);
  expect((await call("check_documentation_links", { ignore_patterns: ["("] })).failure).toMatch(
    /'ignore_patterns': '\('/,
  );
});

test("[repository.links.hostile] a hostile file does not affect the check of the others", async () => {
  const { root, call } = openedOn({
    "docs/a.md": "[x](b.md) [loop](loop/loop/a.md) [self](me.md) [n](new%0Aline.md) [o](huge.md#x)",
    "docs/b.md": "# B\n",
    "docs/new\nline.md": "[x](gone.md)",
    "docs/binary.md": "[x](gone.md)\0",
    "docs/huge.md": "x".repeat(5_000_000),
    "docs/deep.md": `${"> ".repeat(50_000)}[x](gone.md)`,
    "docs/package.json": '{"scripts": 7}',
    "package.json": "{",
  });
  symlinkSync(".", join(root, "docs/loop"));
  symlinkSync("me.md", join(root, "docs/me.md"));
  const data = await call("check_documentation_links", { output_format: "json" });
  expect(data.results.map(({ url, status }: Data) => `${status} ${url}`)).toEqual([
    "valid b.md",
    "valid loop/loop/a.md",
    "warning me.md",
    "valid new%0Aline.md",
    "valid huge.md#x",
    "broken gone.md",
    "broken gone.md",
  ]);
  expect(data.unreadable.map(({ file }: Data) => file)).toEqual(["docs/binary.md", "docs/huge.md"]);
  expect((await call("validate_content", { contentPath: "docs" })).filesChecked).toBe(4);
});

test("[repository.links.hostile] hostile pages affect only their own results", async () => {
  const code = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\`\n`;
  const { call } = openedOn({
    "docs/deep.md": code("yaml", "[".repeat(100_000)) + code("yaml", "- ".repeat(20_000)),
    "docs/errors.md": code("yaml", "]".repeat(45_000)),
    "docs/blank.md": code("json", `{${"\n".repeat(150_000)}`),
    "docs/heading.md": `# {${"#".repeat(50_000)}\n\n# a${" ".repeat(19_000)}b\n`,
    "docs/many.md": `# A\n\n${"`docs/x.md` ".repeat(130_000)}\n`,
    "docs/slashes.md": `<a href="/${"/".repeat(500_000)}x">a</a>\n`,
    "README.md": `# A\n\n${"![".repeat(300_000)}\n`,
    "mkdocs.yml": `docs_dir: docs${"/".repeat(200_000)}x\n`,
    "package.json": JSON.stringify({ workspaces: [`a${"/".repeat(200_000)}x`] }),
    ".github/workflows/deploy-github-pages.yml": "\n".repeat(500_000),
  });

  expect((await call("validate_content", { contentPath: "docs" })).code).toEqual({
    blocks: 4,
    checked: 2,
    invalid: 2,
  });
  expect(await call("analyze_readme", { project_path: "." })).toMatchObject({
    score: expect.any(Number),
  });
  expect(await call("analyze_repository", { path: "." })).toMatchObject({ facts: { files: 10 } });
  expect(await call("detect_documentation_gaps", { repositoryPath: "." })).toMatchObject({
    total: 0,
  });
  expect(await call("verify_deployment", { repository: "." })).toMatchObject({
    summary: { total: 7 },
  });
});

test("[repository.content.findings] wrong links, code, files and scripts are reported at their location", async () => {
  const { call } = openedOn({
    "package.json": '{"scripts":{"build":"x"}}',
    "src/lamp.ts": "",
    "docs/a.md": [
      "# A",
      "[x](gone.md)",
      "See `src/lamp.ts`, `src/lamps.ts` and `and/or.md`.",
      "",
      "```json",
      "{",
      '  "a": 1,',
      "}",
      "```",
      "```json",
      '{ "a": ... }',
      "```",
      "```yaml",
      "a: b",
      "c: [d",
      "```",
      "```sh",
      "$ npm run build",
      "$ npm run biuld",
      "```",
      "```",
      "text",
    ].join("\n"),
  });
  const data = await call("validate_content", { contentPath: "docs" });
  expect(places(data)).toEqual([
    "docs/a.md:2 missing-file",
    "docs/a.md:3 missing-file-named",
    "docs/a.md:8 invalid-code",
    "docs/a.md:15 invalid-code",
    "docs/a.md:18 prompts-in-commands",
    "docs/a.md:19 missing-script",
    "docs/a.md:21 unclosed-code",
    "docs/a.md:21 no-language",
  ]);
  expect(data.code).toEqual({ blocks: 5, checked: 2, invalid: 2 });
  expect(data.issues[1]).toMatchObject({
    evidence: "`src/lamps.ts`",
    suggestedFix: "Did you mean 'src/lamp.ts'?",
    location: { section: "A" },
  });
  const only = await call("validate_content", {
    contentPath: "docs",
    validationType: "references",
  });
  expect(places(only)).toEqual(["docs/a.md:3 missing-file-named", "docs/a.md:19 missing-script"]);
});

test("[repository.diataxis.findings] misplaced, empty and unfinished pages are reported with evidence", async () => {
  const { call } = openedOn({
    "docs/reference/lamp.md": "# How to light the lamp\n\n1. Open it.\n2. Fill it.\n3. Light it.\n",
    "docs/tutorials/first.md": "# Your first lamp\n\nA lamp is a nice thing to have.\n",
    "docs/explanation/empty.md": "# Why\n\n## Reasons\n",
    "docs/how-to/fill.md":
      "# How to fill it\n\n```sh\nfill\n```\n\n## More\n\nTODO: write this.\n\n## Last\n",
  });
  const data = await call("validate_diataxis_content", { contentPath: "docs" });
  expect(places(data)).toEqual([
    "docs:1 missing-kind",
    "docs/explanation/empty.md:1 empty-page",
    "docs/how-to/fill.md:9 unfinished",
    "docs/how-to/fill.md:11 empty-section",
    "docs/reference/lamp.md:1 other-kind",
    "docs/tutorials/first.md:1 nothing-to-do",
  ]);
  expect(data.issues[4].evidence).toContain('title "How to light the lamp"');
  expect(data.confidence.breakdown).toEqual({ accuracy: 100, completeness: 50, compliance: 50 });
  const compliance = { contentPath: "docs", validationType: "compliance" };
  expect(places(await call("validate_diataxis_content", compliance))).toHaveLength(2);
});

test("[repository.diataxis.kinds] a missing documentation kind is reported, and strict mode reports more", async () => {
  const { call } = openedOn({
    "docs/reference/a.md": "# Options\n\n## Parameters\n\nx\n",
    "docs/how-to/b.md": "# How to b\n\n1. x\n2. y\n3. z\n\n## Parameters\n\nx\n\n## Options\n\nx\n",
  });
  const asked = { contentPath: "docs" };
  const rules = async (confidence: string) =>
    places(await call("validate_diataxis_content", { ...asked, confidence })).map(
      (one) => one.split(" ")[1],
    );
  expect(await rules("moderate")).toEqual(["missing-kind", "missing-kind"]);
  expect(await rules("strict")).toEqual(["missing-kind", "missing-kind", "mixed-kinds"]);
  expect(await rules("permissive")).toEqual([]);
});

test("[repository.diataxis.install] with an analysis, install commands of another package manager are reported", async () => {
  const { call } = openedOn({
    "package.json": '{"name":"lamp"}',
    "pnpm-lock.yaml": "lockfileVersion: '9.0'\n",
    "docs/a.md": "# Lamp\n\n```sh\nnpm install\nnpm install lamp\npnpm install\n```\n",
  });
  const { id } = await call("analyze_repository", { path: "." });
  const asked = { contentPath: "docs/a.md", validationType: "accuracy" };
  expect(places(await call("validate_diataxis_content", { ...asked, analysisId: id }))).toEqual([
    "docs/a.md:4 other-package-manager",
  ]);
  expect(places(await call("validate_diataxis_content", asked))).toEqual([]);
});

test("[repository.readme.checks] a README is checked for what a newcomer needs", async () => {
  const good = [
    "# Lamp",
    "",
    "Lamp lights the way for ships at night.",
    "",
    "## Installation",
    "",
    "```sh",
    "npm install lamp",
    "```",
    "",
    "## Usage",
    "",
    "```js",
    'import "lamp";',
    "```",
    "",
    "## Contributing",
    "",
    "Write to us.",
    "",
    "## License",
    "",
    "MIT",
    "",
  ].join("\n");
  const full = await openedOn({ "README.md": good, LICENSE: "MIT" }).call("analyze_readme", {
    project_path: ".",
  });
  expect(full.score).toBe(100);
  const bare = "Hello\n\n![](a.png)\n\n#### Deep\n\n[x](gone.md)\n";
  const poor = await openedOn({ "readme.md": bare }).call("analyze_readme", { project_path: "." });
  const status = Object.fromEntries(poor.checks.map(({ id, status }: Data) => [id, status]));
  expect(status).toEqual({
    title: "fail",
    description: "fail",
    installation: "fail",
    usage: "fail",
    license: "fail",
    contributing: "warning",
    links: "fail",
    code: "pass",
    references: "pass",
    pictures: "warning",
    headings: "pass",
    length: "pass",
  });
  expect(poor.readmePath).toBe("readme.md");
  expect(poor.score).toBeLessThan(40);
  expect(places(poor)).toEqual(["readme.md:3 missing-file", "readme.md:7 missing-file"]);
});

test("[repository.readme.absent] a folder without a README is reported", async () => {
  const { call } = openedOn({ "README.rst": "Lamp\n====\n", "sub/x.md": "" });
  expect((await call("analyze_readme", { project_path: "." })).failure).toContain(
    "'README.rst' is not Markdown",
  );
  expect((await call("analyze_readme", { project_path: "sub" })).failure).toContain(
    "There is no README in 'sub'",
  );
});

const sitemap = { docsPath: "docs", baseUrl: "https://lamp.example/docs" };

test("[repository.sitemap.generated] a sitemap contains the site's page URLs", async () => {
  const pages = {
    "docs/index.md": "# Home\n",
    "docs/guide/a b.md": "# A\n",
    "docs/guide/README.md": "# Guide\n",
    "docs/own.md": "---\npermalink: /named/\n---\n",
    "docs/draft.md": "---\ndraft: true\n---\n",
    "docs/_part.md": "part",
    "docs/404.md": "gone",
  };
  const locs = async (more: Record<string, string>) => {
    const { call } = openedOn({ ...pages, ...more });
    await call("manage_sitemap", { action: "generate", ...sitemap });
    const { urls } = await call("manage_sitemap", { action: "list", docsPath: "docs" });
    return urls.map(({ loc }: Data) => loc.replace("https://lamp.example/docs/", ""));
  };
  expect(await locs({})).toEqual(["", "guide/", "guide/a%20b.html", "named/"]);
  expect(await locs({ "mkdocs.yml": "" })).toEqual(["", "guide/", "guide/a%20b/", "named/"]);
  expect(await locs({ "docusaurus.config.js": "" })).toEqual([
    "",
    "guide/",
    "guide/a%20b",
    "named/",
  ]);
});

test("[repository.sitemap.safe] a dry run writes nothing, and nothing is overwritten unless requested", async () => {
  const { root, call } = openedOn({ "docs/a.md": "# A\n" });
  const place = join(root, "docs/sitemap.xml");
  const dry = await call("manage_sitemap", { action: "generate", ...sitemap, dry_run: true });
  expect(dry.diff).toContain("+    <loc>https://lamp.example/docs/a.html</loc>");
  expect(() => readFileSync(place)).toThrow("ENOENT");
  await call("manage_sitemap", { action: "generate", ...sitemap });
  const other = { action: "generate", docsPath: "docs", baseUrl: "https://other.example" };
  expect((await call("manage_sitemap", other)).failure).toContain("would be replaced");
  expect(readFileSync(place, "utf8")).toContain("lamp.example");
  await call("manage_sitemap", { ...other, overwrite: true });
  expect(readFileSync(place, "utf8")).toContain("other.example");
});

test("[repository.sitemap.updated] an update adds and removes pages and keeps manual entries", async () => {
  const { root, call } = openedOn({ "docs/a.md": "# A\n", "docs/b.md": "# B\n" });
  const place = join(root, "docs/sitemap.xml");
  await call("manage_sitemap", { action: "generate", ...sitemap });
  const kept = "<url><loc>https://elsewhere.example/</loc></url></urlset>";
  const text = readFileSync(place, "utf8")
    .replace("b.html</loc>", "b.html</loc><priority>0.9</priority>")
    .replace("a.html", "gone.html")
    .replace("</urlset>", kept);
  writeFileSync(place, text);
  const { added, removed } = await call("manage_sitemap", { action: "update", ...sitemap });
  expect({ added, removed }).toEqual({ added: 1, removed: 1 });
  const { urls } = await call("manage_sitemap", { action: "list", docsPath: "docs" });
  expect(urls.map(({ loc, priority }: Data) => [loc.split("/").at(-1), priority])).toEqual([
    ["a.html", undefined],
    ["b.html", "0.9"],
    ["", undefined],
  ]);
});

test("[repository.sitemap.validated] violations of the protocol and mismatches with the pages are reported by line", async () => {
  const bad = `<?xml version="1.0"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://lamp.example/docs/a.html</loc><lastmod>yesterday</lastmod></url>
<url><loc>https://lamp.example/docs/a.html</loc><priority>7</priority></url>
<url><loc>/relative</loc><changefreq>often</changefreq></url>
<url><loc>https://lamp.example/docs/gone.html</loc></url>
<url><loc>https://other.example/</loc></url>
</urlset>`;
  const { call } = openedOn({
    "docs/a.md": "",
    "docs/b.md": "",
    "docs/sitemap.xml": bad,
    "broken/sitemap.xml": "<urlset><url>",
  });
  const { problems, valid } = await call("manage_sitemap", { action: "validate", ...sitemap });
  expect(valid).toBe(false);
  expect(problems.map(({ line, rule }: Data) => `${line} ${rule}`)).toEqual([
    "3 lastmod",
    "4 duplicate",
    "4 priority",
    "5 not-absolute",
    "5 changefreq",
    "7 other-site",
    "6 no-page",
    "1 missing-page",
  ]);
  const broken = await call("manage_sitemap", { action: "validate", docsPath: "broken" });
  expect(broken.problems.map(({ rule }: Data) => rule)).toEqual(["namespace", "not-xml"]);
});

test("[repository.sitemap.dates] a page's date is that of its last commit", async () => {
  const { root, call } = openedOn({ "docs/a.md": "# A\n", "docs/ä b.md": "# B\n" });
  rmSync(join(root, ".git"), { recursive: true });
  const git = (date: string, ...words: string[]) => {
    const who = ["-c", "user.name=Ada", "-c", "user.email=ada@lamp.example"];
    const env = { ...process.env, GIT_COMMITTER_DATE: `${date}T12:00:00Z` };
    execFileSync("git", ["-C", root, ...who, ...words], { env });
  };
  git("2020-01-01", "init", "--quiet");
  git("2020-01-01", "add", ".");
  git("2020-01-01", "commit", "--quiet", "-m", "one");
  writeFileSync(join(root, "docs/a.md"), "# A now\n");
  git("2021-02-03", "commit", "--quiet", "-am", "two");
  writeFileSync(join(root, "docs/new.md"), "# New\n");
  await call("manage_sitemap", { action: "generate", ...sitemap });
  const { urls } = await call("manage_sitemap", { action: "list", docsPath: "docs" });
  expect(urls.map(({ lastmod }: Data) => lastmod)).toEqual(["2020-01-01", "2021-02-03", undefined]);
});

test("[repository.sitemap.refusals] an invalid URL is refused under its parameter's name", async () => {
  const { call } = openedOn({ "docs/a.md": "" });
  const failure = async (more: object) =>
    (await call("manage_sitemap", { action: "generate", docsPath: "docs", ...more })).failure;
  expect(await failure({})).toContain("Missing parameter 'baseUrl'");
  for (const baseUrl of [
    "docs.example",
    "ftp://a.example",
    "https://a.example/?q",
    "https://me@a.example",
  ]) {
    expect(await failure({ baseUrl })).toContain("Invalid parameter 'baseUrl'");
  }
  expect(await failure({ baseUrl: "https://a.example", sitemapPath: "docs/a.md" })).toContain(
    "'sitemapPath'",
  );
  expect(
    await failure({ baseUrl: "https://a.example", includePatterns: ["{a,b}".repeat(12)] }),
  ).toContain("1000 alternatives");
});
