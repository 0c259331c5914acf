import * as z from "zod";
import { operationsFor } from "../../../kernel/operation.ts";
import { envelope, renderResult, withEnvelope } from "../envelope.ts";
import {
  renderWriteResult,
  resolveOutputFolder,
  writeFiles,
  writeOptionsShape,
  writeResultShape,
} from "../files/file-writer.ts";
import { siteConfigFiles } from "../sites/site-config.ts";
import { pagesFolder, siteGenerators, ssgInput } from "../sites/site-generators.ts";
import type { RepositoryState } from "../state.ts";

const operation = operationsFor<RepositoryState>();

export const generateConfig = operation({
  name: "generate_config",
  title: "Configure a site generator",
  summary: "Write the configuration files of a site generator that builds the pages in docs/.",
  input: z.object({
    ssg: ssgInput,
    projectName: z.string().trim().min(1).max(200).describe("Name of the project"),
    projectDescription: z.string().max(500).optional().describe("One sentence about it"),
    outputPath: z.string().min(1).describe("Folder for the files").meta({ path: true }),
    ...writeOptionsShape,
  }),
  output: envelope(
    z.object({
      ssg: ssgInput,
      projectName: z.string(),
      outputPath: z.string(),
      totalFiles: z.int(),
      ...writeResultShape,
    }),
  ),
  effect: "writes",
  expose: {
    mcp: true,
    http: "POST /repository/config",
    cli: "repository config <ssg> <outputPath>",
  },
  example: { ssg: "mkdocs", projectName: "Lighthouse", outputPath: "website" },
  run: withEnvelope(async (input, state, call) => {
    const { ssg, projectName, projectDescription = projectName, outputPath } = input;
    const { dry_run, overwrite } = input;
    const { root, below } = resolveOutputFolder(state.boundary, outputPath);
    const files = siteConfigFiles(ssg, { projectName, projectDescription });
    const summary = `Configured ${siteGenerators[ssg].title} for ${projectName}`;
    const written = await writeFiles(
      state,
      { root, below, files, operation: "generate_config", summary, dry_run, overwrite },
      call,
    );
    return {
      data: { ssg, projectName, outputPath, totalFiles: files.length, ...written },
      nextSteps: [
        {
          action: "Create the pages",
          toolRequired: "setup_structure",
          description: `${siteGenerators[ssg].title} builds the pages in ${pagesFolder}/`,
          priority: "high",
        },
        { action: "Write the workflow that publishes them", toolRequired: "deploy_pages" },
      ],
    };
  }),
  present: ({ data, ...advice }) =>
    renderResult(
      `${siteGenerators[data.ssg].title} for ${data.projectName}. ${renderWriteResult(data)}`,
      advice,
    ),
});
