import { transformSync } from "esbuild";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { repositoryLibrary } from "../../../tests/fixtures/repository-library.ts";
import { linesOf } from "../../text/lines.ts";
import { readToml, tomlAt } from "../../text/manifests/toml.ts";
import { type Ssg, ssgNames } from "./generators.ts";
import { configFiles } from "./site-config.ts";
import { oneLine } from "./written-values.ts";

/** What a generator's own parser would make of a configuration's file. */
function parsed(file: string, text: string): unknown {
  if (/\.ya?ml$/.test(file)) return parseYaml(text, { strict: true });
  if (file.endsWith(".json")) return JSON.parse(text);
  if (file.endsWith(".toml")) return readToml(text);
  if (file.endsWith(".js")) return transformSync(text, { loader: "js" }).code;
  return text;
}

const filesOf = (ssg: Ssg, projectName = "Lamp", projectDescription = "It shines.") =>
  new Map(
    configFiles(ssg, { projectName, projectDescription }).map(({ file, text }) => [
      file,
      parsed(file, text),
    ]),
  );

describe("[repository.config.valid] every configuration is read by what it is written for", () => {
  test("MkDocs", () => {
    expect(filesOf("mkdocs").get("mkdocs.yml")).toMatchObject({
      site_name: "Lamp",
      site_description: "It shines.",
      docs_dir: "docs",
      plugins: ["search"],
    });
    expect(linesOf(String(filesOf("mkdocs").get("requirements.txt")))).toContain("mkdocs>=1.6,<2");
  });
  test("Jekyll", () => {
    expect(filesOf("jekyll").get("_config.yml")).toMatchObject({
      title: "Lamp",
      source: "docs",
      plugins: ["jekyll-relative-links"],
      defaults: [{ scope: { path: "" }, values: { layout: "page", render_with_liquid: false } }],
    });
    expect(filesOf("jekyll").get("Gemfile")).toContain('gem "jekyll-relative-links"');
  });
  test("Hugo", () => {
    expect(filesOf("hugo").get("hugo.toml")).toMatchObject({
      title: "Lamp",
      contentDir: "docs",
      params: { description: "It shines." },
    });
    expect([...filesOf("hugo").keys()]).toContain("layouts/_default/list.html");
  });
  test("Docusaurus", () => {
    const files = filesOf("docusaurus");
    expect(files.get("package.json")).toMatchObject({
      name: "lamp",
      scripts: { build: expect.any(String) },
    });
    const made = evaluated(String(files.get("docusaurus.config.js")));
    expect(made).toMatchObject({ title: "Lamp", baseUrl: "/", presets: [["classic", {}]] });
    expect(evaluated(String(files.get("sidebars.js")))).toMatchObject({ docs: [{}] });
  });
  test("Eleventy", () => {
    const files = filesOf("eleventy");
    expect(files.get("package.json")).toMatchObject({
      type: "module",
      scripts: { build: "eleventy" },
    });
    expect(files.get(".eleventy.js")).toContain('title: "Lamp"');
  });
});

test("[repository.config.hostile-names] no name of a project breaks a configuration or says more than itself", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (name) => {
      for (const ssg of ssgNames) filesOf(ssg, name, name);
      const shown = oneLine(name);
      expect(filesOf("mkdocs", name).get("mkdocs.yml")).toMatchObject({ site_name: shown });
      expect(filesOf("jekyll", name).get("_config.yml")).toMatchObject({ title: shown });
      // The reader's own type of tables is wider than what the test knows it holds.
      const toml = filesOf("hugo", name).get("hugo.toml") as ReturnType<typeof readToml>;
      expect(tomlAt(toml, "title")).toBe(shown);
      expect(
        evaluated(String(filesOf("docusaurus", name).get("docusaurus.config.js"))),
      ).toMatchObject({
        title: shown,
      });
    }),
  );
});

test("[repository.config.written] a configuration lands in a folder that is made for it", async () => {
  const { data, read } = repositoryLibrary();
  const input = { ssg: "mkdocs", projectName: 'A "new": lamp', outputPath: "sites/docs" };
  const { filesCreated, totalFiles } = await data("generate_config", input);

  expect({ filesCreated, totalFiles }).toEqual({
    filesCreated: ["mkdocs.yml", "requirements.txt"],
    totalFiles: 2,
  });
  expect(parseYaml(read("sites/docs/mkdocs.yml"))).toMatchObject({ site_name: 'A "new": lamp' });
});

/** What a configuration in JavaScript exports. */
function evaluated(code: string): unknown {
  const module = { exports: {} };
  new Function("module", "process", code)(module, { env: {} });
  return module.exports;
}
