import { transformSync } from "esbuild";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { repositoryLibrary } from "../../../../tests/fixtures/repository/repository-library.ts";
import { parseToml, tomlValue } from "../../../text/manifests/toml.ts";
import { splitLines } from "../../../text/strings/lines.ts";
import { toSingleLine } from "../files/escaped-text.ts";
import { siteConfigFiles } from "./site-config.ts";
import { type Ssg, ssgNames } from "./site-generators.ts";

/** A configuration file, parsed like the generator does. */
function parsed(file: string, text: string): unknown {
  if (/\.ya?ml$/.test(file)) return parseYaml(text, { strict: true });
  if (file.endsWith(".json")) return JSON.parse(text);
  if (file.endsWith(".toml")) return parseToml(text);
  if (file.endsWith(".js")) return transformSync(text, { loader: "js" }).code;
  return text;
}

const filesOf = (ssg: Ssg, projectName = "Lamp", projectDescription = "It shines.") =>
  new Map(
    siteConfigFiles(ssg, { projectName, projectDescription }).map(({ file, text }) => [
      file,
      parsed(file, text),
    ]),
  );

describe("[repository.config.valid] every configuration is valid for its generator", () => {
  test("MkDocs", () => {
    expect(filesOf("mkdocs").get("mkdocs.yml")).toMatchObject({
      site_name: "Lamp",
      site_description: "It shines.",
      docs_dir: "docs",
      plugins: ["search"],
    });
    expect(splitLines(String(filesOf("mkdocs").get("requirements.txt")))).toContain(
      "mkdocs>=1.6,<2",
    );
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

test("[repository.config.hostile-names] no project name breaks or injects into a configuration", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (name) => {
      for (const ssg of ssgNames) filesOf(ssg, name, name);
      const shown = toSingleLine(name);
      expect(filesOf("mkdocs", name).get("mkdocs.yml")).toMatchObject({ site_name: shown });
      expect(filesOf("jekyll", name).get("_config.yml")).toMatchObject({ title: shown });
      // The parser's table type is wider than the expected content.
      const toml = filesOf("hugo", name).get("hugo.toml") as ReturnType<typeof parseToml>;
      expect(tomlValue(toml, "title")).toBe(shown);
      expect(
        evaluated(String(filesOf("docusaurus", name).get("docusaurus.config.js"))),
      ).toMatchObject({
        title: shown,
      });
    }),
  );
});

test("[repository.config.written] a configuration is written to a folder created for it", async () => {
  const { data, read } = repositoryLibrary();
  const input = { ssg: "mkdocs", projectName: 'A "new": lamp', outputPath: "sites/docs" };
  const { filesCreated, totalFiles } = await data("generate_config", input);

  expect({ filesCreated, totalFiles }).toEqual({
    filesCreated: ["mkdocs.yml", "requirements.txt"],
    totalFiles: 2,
  });
  expect(parseYaml(read("sites/docs/mkdocs.yml"))).toMatchObject({ site_name: 'A "new": lamp' });
});

/** The exports of a JavaScript configuration. */
function evaluated(code: string): unknown {
  const module = { exports: {} };
  new Function("module", "process", code)(module, { env: {} });
  return module.exports;
}
