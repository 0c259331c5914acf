import { notFound } from "../../kernel/failure.ts";
import type { ResourceFamily } from "../../kernel/resource.ts";
import { presets } from "./freshness.ts";
import { generators, type Ssg, ssgNames } from "./generators.ts";
import { configFiles } from "./site-config.ts";
import type { RepositoryState } from "./state.ts";
import { structureFiles } from "./structure.ts";
import type { PlannedFile } from "./writing.ts";
import { jsonText } from "./written-values.ts";

const mimeType = "text/markdown";
const start = "documcp://templates/";

/** What generate_config and setup_structure would write, to be read before they are called. */
const templates: ReadonlyMap<string, { title: string; files: () => PlannedFile[] }> = new Map([
  ...ssgNames.map((ssg): [string, { title: string; files: () => PlannedFile[] }] => [
    `${ssg}-config`,
    { title: `${generators[ssg].title} configuration`, files: () => sampleConfig(ssg) },
  ]),
  ["diataxis-structure", { title: "Documentation in four parts", files: sampleStructure }],
]);

const sampleConfig = (ssg: Ssg): PlannedFile[] =>
  configFiles(ssg, { projectName: "Your project", projectDescription: "What it is for" });

function sampleStructure(): PlannedFile[] {
  return structureFiles("mkdocs", true);
}

export const templateFamily: ResourceFamily<RepositoryState> = {
  name: "documentation-templates",
  title: "Documentation template",
  description: "The files that a generator is configured with, or that documentation begins with.",
  mimeType,
  uri: `${start}{name}`,
  list: () =>
    [...templates].map(([name, { title }]) => ({ uri: start + name, name, title, mimeType })),
  read(uri) {
    const found = templates.get(uri.slice(start.length));
    if (!found) throw notFound("Resource not found");
    const files = found.files().map(({ file, text }) => `## ${file}\n\n~~~~\n${text}~~~~`);
    return [{ uri, mimeType, text: `${[`# ${found.title}`, ...files].join("\n\n")}\n` }];
  },
  complete: (_variable, typed) =>
    [...templates.keys()].filter((name) => name.startsWith(typed)).map((value) => ({ value })),
};

/** A resource in JSON that is the same in every repository. */
const fixed = (
  uri: string,
  named: { name: string; title: string; description: string },
  value: () => unknown,
): ResourceFamily<RepositoryState> => ({
  ...named,
  uri,
  mimeType: "application/json",
  list: () => [{ uri, name: named.name, title: named.title, mimeType: "application/json" }],
  read: () => [{ uri, mimeType: "application/json", text: jsonText(value()) }],
});

export const fixedFamilies = [
  fixed(
    "documcp://ssgs/available",
    {
      name: "site-generators",
      title: "Site generators",
      description:
        "The site generators that can be configured, with what speaks for and against each.",
    },
    () => ssgNames.map((name) => ({ name, ...generators[name] })),
  ),
  fixed(
    "documcp://freshness/presets",
    {
      name: "freshness-presets",
      title: "Presets of freshness",
      description: "From which age on a page is to be looked at, is stale, and misleads.",
    },
    () => presets,
  ),
];
