import { describe, expect, test } from "vitest";
import { repositoryLibrary } from "../../../../tests/fixtures/repository/repository-library.ts";
import { splitLines } from "../../../text/strings/lines.ts";
import { ssgNames } from "../sites/site-generators.ts";

const project = {
  "package.json": JSON.stringify({
    name: "lamp",
    version: "2.1.0",
    description: "Keeps a *lamp* lit",
    license: "MIT",
    scripts: { start: "node lamp.js", test: "vitest run" },
    dependencies: { express: "^5.0.0" },
    devDependencies: { vitest: "^4.0.0" },
  }),
  "package-lock.json": "{}\n",
  "lamp.js": "console.log('lit');\n".repeat(20),
  "tests/lamp.test.js": "test('lit', () => {});\n",
  "docs/adr/0001-use-oil.md": "# 1. Use oil\n\n## Status\n\nAccepted\n",
};

const pages = [
  "tutorials/getting-started.md",
  "how-to/run-the-tests.md",
  "how-to/deploy-to-production.md",
  "reference/project.md",
  "reference/commands.md",
  "explanation/architecture-overview.md",
];

/** All lines of the pages except headings, front matter and blank lines. */
const saidOn = (text: string): string[] =>
  splitLines(text)
    .slice(4)
    .filter((line) => line !== "" && !line.startsWith("#"));

test("[repository.populate.facts] every line is a fact with its source, or a question", async () => {
  const { data, read } = repositoryLibrary(project);
  const { filesCreated } = await data("populate_diataxis_content", { path: ".", docsPath: "docs" });

  expect(filesCreated).toEqual(pages);
  for (const page of pages) {
    for (const line of saidOn(read(`docs/${page}`))) {
      expect(line).toMatch(/^- .+ \(from .+\)$|^> \*\*Question:\*\* .+\?$/);
    }
  }
  expect(read("docs/reference/commands.md")).toContain(
    "- `npm run test` runs `vitest run`. (from `package.json`)",
  );
  expect(read("docs/tutorials/getting-started.md")).toContain("`npm install`");
  expect(read("docs/reference/project.md")).toContain('"Keeps a \\*lamp\\* lit"');
  expect(read("docs/explanation/architecture-overview.md")).toContain("`docs/adr`");
});

test("[repository.populate.facts] install commands are written with the file that documents them", async () => {
  const { data, read } = repositoryLibrary({
    "go.mod": "module lamp\n",
    "main.go": "package main\n",
    "requirements.txt": "flask\n",
    "package.json": "{}",
    "yarn.lock": "",
  });
  await data("populate_diataxis_content", { path: ".", docsPath: "docs" });
  const page = read("docs/tutorials/getting-started.md");

  expect(page).toContain("`go mod download`. (from `go.mod`)");
  expect(page).toContain("`pip install -r requirements.txt`. (from `requirements.txt`)");
  expect(page).toContain("`yarn install`. (from `yarn.lock`)");
});

test("[repository.populate.nothing-known] pages for an empty repository contain no facts and many questions", async () => {
  const { data, read } = repositoryLibrary();
  const input = { path: ".", docsPath: "docs" };
  const { metrics, pages: made } = await data("populate_diataxis_content", input);
  const texts = made.map(({ file }: { file: string }) => read(`docs/${file}`));

  expect(metrics).toEqual({ coverage: 0, completeness: 0, projectSpecificity: 0 });
  for (const line of texts.flatMap(saidOn)) expect(line).toMatch(/^> \*\*Question:\*\* /);
});

describe("[repository.populate.valid] the generated pages pass validate_diataxis_content", () => {
  const unnamed = {
    "go.mod": "module example.org/lamp\n\nrequire github.com/gin-gonic/gin v1.10.0\n",
    "cmd/lamp/main.go": "package main\n",
    "lamp_test.go": "package lamp\n",
    Makefile: "test:\n\tgo test ./...\n",
    Dockerfile: "FROM scratch\n",
    ".github/workflows/ci.yml": "on: push\n",
  };
  const cases: [string, Record<string, string>, object][] = [
    ["of a project", project, {}],
    ["of another language", unnamed, {}],
    ["of an empty repository", {}, {}],
    ["at the lowest level", project, { populationLevel: "basic" }],
    ["with the code's symbols", project, { populationLevel: "intelligent" }],
    ["with questions alone", project, { includeProjectSpecific: false }],
    ["with a focus", project, { technologyFocus: ["TODO", "Kafka"] }],
  ];
  for (const [name, files, input] of cases) {
    test(name, async () => {
      const { output, data } = repositoryLibrary(files);
      const { metadata } = await output("populate_diataxis_content", {
        path: ".",
        docsPath: "docs/pages",
        ...input,
      });
      const { issues } = await data("validate_diataxis_content", {
        contentPath: "docs/pages",
        analysisId: metadata.analysisId,
        confidence: "strict",
      });

      const isBasic = "populationLevel" in input && input.populationLevel === "basic";
      const left = isBasic
        ? issues.filter(({ rule }: { rule: string }) => rule !== "missing-kind")
        : issues;
      expect(left).toEqual([]);
    });
  }
});

describe("[repository.structure.valid] a new structure passes its own checks, filled or not", () => {
  for (const ssg of ssgNames) {
    test(ssg, async () => {
      const { data } = repositoryLibrary(project);
      const complaints = async () =>
        (await data("validate_diataxis_content", { contentPath: "site", confidence: "strict" }))
          .issues;
      await data("setup_structure", { path: "site", ssg });
      expect(await complaints()).toEqual([]);
      await data("populate_diataxis_content", { path: ".", docsPath: "site" });

      expect(await complaints()).toEqual([]);
    });
  }
});

test("[repository.populate.preserved] existing pages are kept", async () => {
  const { data, read } = repositoryLibrary({ ...project, "docs/reference/project.md": "# Mine\n" });
  const { pages: made } = await data("populate_diataxis_content", { path: ".", docsPath: "docs" });

  expect(made).toContainEqual(
    expect.objectContaining({ file: "reference/project.md", preserved: true }),
  );
  expect(read("docs/reference/project.md")).toBe("# Mine\n");
});

test("[repository.populate.examples] unmodified examples of setup_structure are filled, and keep their front matter", async () => {
  const { data, read, write } = repositoryLibrary(project);
  await data("setup_structure", { path: "docs", ssg: "docusaurus" });
  write("docs/explanation/architecture-overview.md", "# Written since\n");
  const { filesUpdated } = await data("populate_diataxis_content", { path: ".", docsPath: "docs" });

  expect(filesUpdated).toEqual(["tutorials/getting-started.md", "how-to/deploy-to-production.md"]);
  expect(read("docs/tutorials/getting-started.md")).toMatch(
    /^---\ntitle: "Getting started"\nsidebar_position: 1\n---\n\n# Getting started\n/,
  );
  expect(read("docs/explanation/architecture-overview.md")).toBe("# Written since\n");
});

describe("[repository.populate.levels] the level determines the number of pages", () => {
  const made = async (input: object) => {
    const { data } = repositoryLibrary(project);
    const { pages: all } = await data("populate_diataxis_content", {
      path: ".",
      docsPath: "docs",
      ...input,
    });
    return all.map(({ file }: { file: string }) => file);
  };
  test("basic", async () =>
    expect(await made({ populationLevel: "basic" })).toEqual([
      "tutorials/getting-started.md",
      "reference/project.md",
    ]));
  test("intelligent", async () =>
    expect(await made({ populationLevel: "intelligent" })).toContain(
      "reference/api-documentation.md",
    ));
});

test("[repository.populate.focus] a requested technology is covered, or asked about", async () => {
  const { data, read } = repositoryLibrary(project);
  await data("populate_diataxis_content", {
    path: ".",
    docsPath: "docs",
    technologyFocus: ["Express", "Kafka"],
  });

  expect(read("docs/reference/project.md")).toContain(
    "- Express is used. (from the frameworks found)",
  );
  expect(read("docs/reference/project.md")).toContain("> **Question:** Kafka was not found.");
});

test("[repository.populate.hostile] manifest text is quoted and never interpreted", async () => {
  const hostile = {
    name: "`x` <script>alert(1)</script>",
    version: "1.0.0",
    description: "{{ site.secrets }} {% include x %} [a](javascript:b)\n# Heading\n> quote",
    scripts: { "a`b": "{{< shortcode >}} ``tick`` \u0007", "test\n# x": "y" },
  };
  const { data, read } = repositoryLibrary({ "package.json": JSON.stringify(hostile) });
  const { pages: made } = await data("populate_diataxis_content", { path: ".", docsPath: "docs" });
  const all = made.map(({ file }: { file: string }) => read(`docs/${file}`)).join("\n");
  const outsideCode = all.replace(/(`+)(?!`).+?(?<!`)\1(?!`)/g, "");

  for (const sign of ["{{", "{%", "\u0007"]) expect(all).not.toContain(sign);
  expect(outsideCode).not.toContain("<script>");
  expect(outsideCode).not.toMatch(/(?<!\\)\]\(javascript/);
  expect(splitLines(all).filter((line) => /^# (Heading|x)/.test(line))).toEqual([]);
});
