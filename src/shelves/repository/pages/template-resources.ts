import { notFound } from "../../../kernel/failure.ts";
import type { ResourceFamily } from "../../../kernel/operations/resource.ts";
import { freshnessPresets } from "../drift/freshness.ts";
import { formatJson } from "../files/escaped-text.ts";
import type { PlannedFile } from "../files/file-writer.ts";
import { siteConfigFiles } from "../sites/site-config.ts";
import { type Ssg, siteGenerators, ssgNames } from "../sites/site-generators.ts";
import type { RepositoryState } from "../state.ts";
import { diataxisFiles } from "./diataxis-structure.ts";

const mimeType = "text/markdown";
const uriPrefix = "documcp://templates/";

/** Previews of the files that generate_config and setup_structure write. */
const templates: ReadonlyMap<string, { title: string; files: () => PlannedFile[] }> = new Map([
  ...ssgNames.map((ssg): [string, { title: string; files: () => PlannedFile[] }] => [
    `${ssg}-config`,
    { title: `${siteGenerators[ssg].title} configuration`, files: () => sampleConfig(ssg) },
  ]),
  ["diataxis-structure", { title: "Documentation in four parts", files: sampleStructure }],
]);

const sampleConfig = (ssg: Ssg): PlannedFile[] =>
  siteConfigFiles(ssg, { projectName: "Your project", projectDescription: "What it is for" });

function sampleStructure(): PlannedFile[] {
  return diataxisFiles("mkdocs", true);
}

export const templateResources: ResourceFamily<RepositoryState> = {
  name: "documentation-templates",
  title: "Documentation template",
  description: "Configuration files of a generator, or the initial pages of documentation.",
  mimeType,
  uri: `${uriPrefix}{name}`,
  list: () =>
    [...templates].map(([name, { title }]) => ({ uri: uriPrefix + name, name, title, mimeType })),
  read(uri) {
    const template = templates.get(uri.slice(uriPrefix.length));
    if (!template) throw notFound("Resource not found");
    const files = template.files().map(({ file, text }) => `## ${file}\n\n~~~~\n${text}~~~~`);
    return [{ uri, mimeType, text: `${[`# ${template.title}`, ...files].join("\n\n")}\n` }];
  },
  complete: (_variable, typed) =>
    [...templates.keys()].filter((name) => name.startsWith(typed)).map((value) => ({ value })),
};

/** A JSON resource that does not depend on the repository. */
const jsonResource = (
  uri: string,
  details: { name: string; title: string; description: string },
  value: () => unknown,
): ResourceFamily<RepositoryState> => ({
  ...details,
  uri,
  mimeType: "application/json",
  list: () => [{ uri, name: details.name, title: details.title, mimeType: "application/json" }],
  read: () => [{ uri, mimeType: "application/json", text: formatJson(value()) }],
});

export const fixedResources = [
  jsonResource(
    "documcp://ssgs/available",
    {
      name: "site-generators",
      title: "Site generators",
      description: "The supported site generators with their advantages and disadvantages.",
    },
    () => ssgNames.map((name) => ({ name, ...siteGenerators[name] })),
  ),
  jsonResource(
    "documcp://freshness/presets",
    {
      name: "freshness-presets",
      title: "Freshness presets",
      description:
        "The ages from which a page needs a review, is stale, or is critically outdated.",
    },
    () => freshnessPresets,
  ),
];
