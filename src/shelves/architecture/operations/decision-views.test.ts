import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { parseHTML } from "linkedom";
import { describe, expect, test } from "vitest";
import { clientsOf } from "../../../../tests/contract/surface-clients.ts";
import {
  decisionLibrary,
  decisionShelves,
  record,
} from "../../../../tests/fixtures/architecture/decision-library.ts";

const hostileTitle = '</title><script>alert(1)</script> "x" [y](javascript:z) \u202eevil';

const files = {
  "docs/adr/0001-a.md": record("1. Buy a lamp", "Superseded by [2. B](0002-b.md)"),
  "docs/adr/0002-b.md": record(
    `2. ${hostileTitle}`,
    "Accepted\n\nSupersedes [1. A](0001-a.md)",
    "\n<img src=x onerror=alert(1)>\n\n[web](https://a.example/?a=1&b=2) [bad](javascript:alert(1)) [file](../../../etc/passwd)\n\n* one `<b>`\n* **two**\n\n```\n<i>code</i>\n```\n",
  ).replace("2020-01-01", "2021-05-05"),
  "docs/adr/0003-c.md": record("3. C", "Accepted\n\nClarifies [B](0002-b.md)").replace(
    "Date: 2020-01-01\n\n",
    "",
  ),
};

test("[architecture.decisions.graph] decisions are exported as a Mermaid graph with escaped titles", async () => {
  const { library } = decisionLibrary(files);
  const { out } = await clientsOf(library, decisionShelves).shell("adr", "graph");

  expect(out.split("\n").slice(0, 6)).toEqual([
    "flowchart TD",
    '  d1["0001 Buy a lamp"]:::superseded',
    expect.stringMatching(/^ {2}d2\["0002 #60;#47;title#62;[^"<>[\]]*evil"\]:::accepted$/),
    '  d3["0003 C"]:::accepted',
    '  d2 -->|"supersedes"| d1',
    '  d3 -->|"clarifies"| d2',
  ]);
  expect(out).not.toContain("\u202e");
});

test("[architecture.decisions.graph] and in DOT", async () => {
  const { library } = decisionLibrary({
    "adr/0001-a.md": record('1. A "quoted" \\ slash', "Accepted\n\nAmended by [2](0002-b.md)"),
    "adr/0002-b.md": record("2. B", "Accepted\n\nAmends [1](0001-a.md)"),
  });
  const { out } = await clientsOf(library, decisionShelves).shell("adr", "graph", "--language=dot");

  expect(out.split("\n")).toEqual([
    "digraph decisions {",
    '  node [shape=box, style="rounded,filled"];',
    '  d1 [label="0001 A \\"quoted\\" \\\\ slash", fillcolor="#d3f9d8"];',
    '  d2 [label="0002 B", fillcolor="#d3f9d8"];',
    '  d2 -> d1 [label="amends"];',
    "}",
    "",
  ]);
});

test("[architecture.decisions.timeline] the timeline lists decisions by date", async () => {
  const { library } = decisionLibrary(files);
  const { shell, request } = clientsOf(library, decisionShelves);
  const { out } = await shell("adr", "timeline");

  expect(out.split("\n").map((line) => line.trim().slice(0, 18))).toEqual([
    "2020",
    "docs/adr/0001-a.md",
    "2021",
    "docs/adr/0002-b.md",
    "Undated",
    "docs/adr/0003-c.md",
    "",
  ]);
  expect(await request("GET", "/adr/timeline")).toMatchObject({
    body: { records: [{ number: 1 }, { number: 2 }, { number: 3 }] },
  });
});

test("[architecture.decisions.toc] the Markdown table of contents has working relative links to each decision", async () => {
  const { library } = decisionLibrary(files);
  const { shell } = clientsOf(library, decisionShelves);

  expect((await shell("adr", "toc")).out.split("\n")).toEqual([
    "# Decisions",
    "",
    "* [0001 Buy a lamp](0001-a.md) (superseded)",
    expect.stringMatching(
      /^\* \[0002 \\<\/title\\>.*\\\[y\\\].* evil\]\(0002-b\.md\) \(accepted\)$/,
    ),
    "* [0003 C](0003-c.md) (accepted)",
    "",
  ]);
  expect((await shell("adr", "toc", "--from", "docs")).out).toContain("(adr/0001-a.md)");
});

describe("[architecture.decisions.site] the decisions are exported as pages without dependencies or scripts", () => {
  test("each has a page, and an index lists them with a timeline", async () => {
    const { library, root } = decisionLibrary(files);
    const { code, out } = await clientsOf(library, decisionShelves).shell("adr", "export", "site");
    expect([code, out]).toEqual([0, "Wrote 4 pages to site\n"]);

    const pages = readdirSync(join(root, "site")).filter((name) => name.endsWith(".html"));
    expect(pages.sort()).toEqual(["0001-a.html", "0002-b.html", "0003-c.html", "index.html"]);
    const { document } = parseHTML(readFileSync(join(root, "site/index.html"), "utf8"));
    expect([...document.querySelectorAll("tbody .status")].map((it) => it.textContent)).toEqual([
      "superseded",
      "accepted",
      "accepted",
    ]);
    expect([...document.querySelectorAll("h3")].map((it) => it.textContent)).toEqual([
      "2020",
      "2021",
      "Undated",
    ]);
    const links = [...document.querySelectorAll("a")].map(
      (link) => link.getAttribute("href") ?? "",
    );
    expect(links.filter((href) => !existsSync(join(root, "site", href)))).toEqual([]);
  });

  test("HTML in a record is escaped on its page", async () => {
    const { call, root } = decisionLibrary(files);
    await call("export_decisions", { folder: "site" });
    const html = readFileSync(join(root, "site/0002-b.html"), "utf8");
    const { document } = parseHTML(html);

    expect(document.querySelectorAll("script, img, iframe, b, i")).toHaveLength(0);
    expect(document.title).toContain("</title><script>");
    expect([...document.querySelectorAll("a")].map((link) => link.getAttribute("href"))).toEqual([
      "index.html",
      "0001-a.html",
      "0001-a.html",
      "https://a.example/?a=1&b=2",
    ]);
    expect([...document.querySelectorAll("a")].at(-1)?.textContent).toBe("web");
    expect(document.querySelector("pre code")?.textContent).toBe("<i>code</i>");
    expect([...document.querySelectorAll("li")].map((item) => item.textContent)).toEqual([
      "one <b>",
      "two",
    ]);
    expect(html).not.toContain("\u202e");
    expect(html).toContain("default-src 'none'");
  });

  test("a record in an encoding other than UTF-8 is listed and has its page", async () => {
    const { call, root } = decisionLibrary(files);
    writeFileSync(
      join(root, "docs/adr/0005-e.md"),
      Buffer.from(`\uFEFF${record("5. Größe")}`, "utf16le"),
    );

    expect(await call("show_decision", { id: "5" })).toMatchObject({ text: record("5. Größe") });
    expect(await call("export_decisions", { folder: "site" })).toMatchObject({ pages: 5 });
    expect(readFileSync(join(root, "site/0005-e.html"), "utf8")).toContain("Größe");
  });

  test("a second export replaces its own pages, and deletes those of removed records", async () => {
    const { call, write, root } = decisionLibrary(files);
    await call("export_decisions", { folder: "site" });
    rmSync(join(root, "docs/adr/0003-c.md"));
    write("docs/adr/0004-d.md", record("4. D"));

    expect(await call("export_decisions", { folder: "site" })).toMatchObject({
      pages: 4,
      removed: 1,
    });
    expect(readdirSync(join(root, "site")).filter((name) => name.startsWith("000"))).toEqual([
      "0001-a.html",
      "0002-b.html",
      "0004-d.html",
    ]);
  });
});

describe("[architecture.decisions.site-foreign] only files written by the export are overwritten", () => {
  test("a folder with other files is refused", async () => {
    const { call, write, read } = decisionLibrary(files);
    write("site/index.html", "mine");

    expect(await call("export_decisions", { folder: "site" })).toMatchObject({
      kind: "conflict",
      code: "not-empty",
    });
    expect(read("site/index.html")).toBe("mine");
  });

  test("an existing page by others is refused before anything is written", async () => {
    const { call, write, read } = decisionLibrary(files);
    await call("export_decisions", { folder: "site" });
    write("site/0004-d.html", "mine");
    write("docs/adr/0004-d.md", record("4. D"));

    expect(await call("export_decisions", { folder: "site" })).toMatchObject({
      message: expect.stringContaining("0004-d.html"),
    });
    expect(read("site/0004-d.html")).toBe("mine");
  });

  test("a link in place of a page is replaced, not followed", async () => {
    const { call, write, read, root } = decisionLibrary(files);
    write("precious.txt", "mine");
    write("site/.lectern-decisions.json", '{"files":["index.html","../precious.txt"]}');
    symlinkSync("../precious.txt", join(root, "site/index.html"));

    expect(await call("export_decisions", { folder: "site" })).toMatchObject({ pages: 4 });
    expect(read("precious.txt")).toBe("mine");
    expect(read("site/index.html")).toContain("<!doctype html>");
  });

  test("a link in place of the file list is replaced too", async () => {
    const { call, write, read, root } = decisionLibrary(files);
    write("precious.txt", '{"files":[]}');
    mkdirSync(join(root, "site"));
    symlinkSync("../precious.txt", join(root, "site/.lectern-decisions.json"));

    expect(await call("export_decisions", { folder: "site" })).toMatchObject({ pages: 4 });
    expect(read("precious.txt")).toBe('{"files":[]}');
    expect(read("site/.lectern-decisions.json")).toContain("0001-a.html");
  });

  test("nothing is written outside the force root", async () => {
    const { root } = decisionLibrary(files);
    const { call } = decisionLibrary({}, { root, forceRoot: root });
    writeFileSync(join(root, "file"), "");

    for (const folder of ["../site", "/tmp/lectern-site", "a/../../site", "missing/site", " "]) {
      expect([folder, await call("export_decisions", { folder })]).toMatchObject([
        folder,
        { name: "Failure" },
      ]);
    }
    expect(existsSync(join(root, "../site"))).toBe(false);
  });
});
