import * as z from "zod";
import { operationsOn } from "../../../kernel/operation.ts";
import { answering, envelope, told } from "../envelope.ts";
import { generators, pagesFolder, ssgInput } from "../generators.ts";
import { configFiles } from "../site-config.ts";
import type { RepositoryState } from "../state.ts";
import { folderToWrite, writeFiles, writingInput, writtenShape, writtenText } from "../writing.ts";

const operation = operationsOn<RepositoryState>();

export const generateConfig = operation({
  name: "generate_config",
  title: "Configure a site generator",
  summary: "Write the configuration files of a site generator that builds the pages in docs/.",
  input: z.object({
    ssg: ssgInput,
    projectName: z.string().trim().min(1).max(200).describe("Name of the project"),
    projectDescription: z.string().max(500).optional().describe("One sentence about it"),
    outputPath: z.string().min(1).describe("Folder for the files").meta({ path: true }),
    ...writingInput,
  }),
  output: envelope(
    z.object({
      ssg: ssgInput,
      projectName: z.string(),
      outputPath: z.string(),
      totalFiles: z.int(),
      ...writtenShape,
    }),
  ),
  effect: "writes",
  expose: {
    mcp: true,
    http: "POST /repository/config",
    cli: "repository config <ssg> <outputPath>",
  },
  example: { ssg: "mkdocs", projectName: "Lighthouse", outputPath: "website" },
  run: answering((input, state, call) => {
    const { ssg, projectName, projectDescription = projectName, outputPath } = input;
    const { dry_run, overwrite } = input;
    const { root, below } = folderToWrite(state.boundary, outputPath);
    const files = configFiles(ssg, { projectName, projectDescription });
    const summary = `Configured ${generators[ssg].title} for ${projectName}`;
    const written = writeFiles(
      state,
      { root, below, files, operation: "generate_config", summary, dry_run, overwrite },
      call,
    );
    return {
      data: { ssg, projectName, outputPath, totalFiles: files.length, ...written },
      nextSteps: [
        {
          action: "Lay out the pages",
          toolRequired: "setup_structure",
          description: `${generators[ssg].title} will build what is in ${pagesFolder}/`,
          priority: "high",
        },
        { action: "Write the workflow that publishes them", toolRequired: "deploy_pages" },
      ],
    };
  }),
  present: ({ data, ...said }) =>
    told(`${generators[data.ssg].title} for ${data.projectName}. ${writtenText(data)}`, said),
});
