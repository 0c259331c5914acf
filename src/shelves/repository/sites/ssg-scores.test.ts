import { describe, expect, test } from "vitest";
import { repositoryLibrary } from "../../../../tests/fixtures/repository/repository-library.ts";

const code = "x = 1\n".repeat(50);
const packageJson = '{ "name": "lamp", "version": "1.0.0" }\n';

const repositories = {
  python: { "pyproject.toml": '[project]\nname = "lamp"\n', "lamp/main.py": code },
  ruby: { Gemfile: 'source "https://rubygems.org"\n', "lib/lamp.rb": code },
  go: { "go.mod": "module example.org/lamp\n", "main.go": code },
  javascript: { "package.json": packageJson, "src/index.js": code },
  rust: { "Cargo.toml": '[package]\nname = "lamp"\n', "src/main.rs": code },
};

/** Thirteen or more pages count as complex documentation. */
const manyPages = Object.fromEntries(
  Array.from({ length: 13 }, (_, at) => [`docs/page-${at}.md`, `# Page ${at}\n`]),
);

describe("[repository.recommend.rules] the recommendation depends on the repository's contents and the user's priorities", () => {
  const cases: [files: Record<string, string>, preferences: object, expected: string][] = [
    [repositories.python, {}, "mkdocs"],
    [repositories.python, { priority: "features" }, "mkdocs"],
    [repositories.ruby, {}, "jekyll"],
    [repositories.go, {}, "hugo"],
    [repositories.javascript, {}, "docusaurus"],
    [{ ...repositories.javascript, ...manyPages }, {}, "docusaurus"],
    [repositories.javascript, { priority: "simplicity" }, "eleventy"],
    [repositories.rust, {}, "docusaurus"],
    [repositories.rust, { priority: "simplicity" }, "jekyll"],
    [repositories.rust, { priority: "performance" }, "hugo"],
    [{}, { priority: "simplicity" }, "jekyll"],
    [repositories.javascript, { ecosystem: "python" }, "mkdocs"],
    [repositories.python, { ecosystem: "any" }, "mkdocs"],
  ];
  for (const [files, preferences, expected] of cases) {
    const named = Object.keys(files)[0] ?? "nothing";
    test(`${named}, ${JSON.stringify(preferences)}: ${expected}`, async () => {
      const { data } = repositoryLibrary(files);
      expect(await data("recommend_ssg", { path: ".", preferences })).toMatchObject({
        recommended: expected,
      });
    });
  }
});

test("[repository.recommend.scored] every score is the sum of its reasons, highest first", async () => {
  const { data } = repositoryLibrary(repositories.python);
  const { scores, alternatives, reasoning, confidence } = await data("recommend_ssg", {
    path: ".",
  });

  expect(scores).toHaveLength(5);
  for (const { score, reasons } of scores) {
    const sum = reasons.reduce((all: number, { points }: { points: number }) => all + points, 0);
    expect(score).toBe(sum);
  }
  const values = scores.map(({ score }: { score: number }) => score);
  expect(values).toEqual(values.toSorted((a: number, b: number) => b - a));
  expect(alternatives.map(({ name }: { name: string }) => name)).toEqual(
    scores.slice(1).map(({ name }: { name: string }) => name),
  );
  expect(reasoning.join()).toContain("Python is the main language of the repository");
  expect(confidence).toBeGreaterThan(0.5);
  expect(confidence).toBeLessThan(1);
});

describe("[repository.recommend.existing] a generator already in use is detected and recommended first", () => {
  const cases: [files: Record<string, string>, expected: string][] = [
    [{ ...repositories.python, "docs/_config.yml": "title: Lamp\n" }, "jekyll"],
    [
      { ...repositories.python, "website/docusaurus.config.ts": "export default {};\n" },
      "docusaurus",
    ],
    [{ ...repositories.ruby, "eleventy.config.mjs": "export default {};\n" }, "eleventy"],
    [
      { ...repositories.javascript, "docs/conf.py": "project = 'x'\n", "docs/index.rst": "Lamp\n" },
      "sphinx",
    ],
    [{ ...repositories.rust, "book.toml": "[book]\n", "src/SUMMARY.md": "# Summary\n" }, "mdbook"],
  ];
  for (const [files, expected] of cases) {
    test(expected, async () => {
      const { output } = repositoryLibrary(files);
      const { data, nextSteps } = await output("recommend_ssg", { path: "." });

      expect(data).toMatchObject({
        recommended: expected,
        existing: { name: expected },
        confidence: 0.95,
      });
      expect(data.scores).toHaveLength(5);
      expect(JSON.stringify(nextSteps)).not.toContain("generate_config");
    });
  }
});

test("[repository.recommend.by-id] an analysis is named by its id, and a missing one is reported", async () => {
  const { output, failure } = repositoryLibrary(repositories.go);
  const { metadata } = await output("analyze_repository", { path: ".", depth: "quick" });
  const answer = await output("recommend_ssg", { analysisId: metadata.analysisId });

  expect(answer).toMatchObject({
    data: { recommended: "hugo" },
    metadata: { analysisId: metadata.analysisId },
  });
  expect(await failure("recommend_ssg", { analysisId: "analysis_none" })).toMatchObject({
    kind: "not-found",
  });
  expect(await failure("recommend_ssg")).toMatchObject({
    kind: "invalid",
    message: expect.stringContaining("'analysisId'"),
  });
});
