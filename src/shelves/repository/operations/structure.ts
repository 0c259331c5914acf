import { existsSync } from "node:fs";
import { join } from "node:path";
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
import { diataxisCategories, diataxisFiles } from "../pages/diataxis-structure.ts";
import { siteGenerators, ssgInput } from "../sites/site-generators.ts";
import type { RepositoryState } from "../state.ts";

const operation = operationsFor<RepositoryState>();

export const setupStructure = operation({
  name: "setup_structure",
  title: "Set up documentation pages",
  summary: "Create tutorials, how-to, reference and explanation with an index page each.",
  input: z.object({
    path: z.string().min(1).describe("The documentation's folder").meta({ path: true }),
    ssg: ssgInput,
    includeExamples: z.boolean().default(true).describe("A page with questions in each folder"),
    ...writeOptionsShape,
  }),
  output: envelope(
    z.object({
      docsPath: z.string(),
      ssg: ssgInput,
      directoriesCreated: z.array(z.string()),
      diataxisCategories: z.array(z.string()),
      totalDirectories: z.int(),
      totalFiles: z.int(),
      ...writeResultShape,
    }),
  ),
  effect: "writes",
  expose: {
    mcp: true,
    http: "POST /repository/structure",
    cli: "repository structure <path> <ssg>",
  },
  example: { path: "docs", ssg: "mkdocs" },
  run: withEnvelope(async (input, state, call) => {
    const { path, ssg, includeExamples, dry_run, overwrite } = input;
    const { root, below } = resolveOutputFolder(state.boundary, path);
    const files = diataxisFiles(ssg, includeExamples);
    const folders = diataxisCategories.map(({ folder }) => folder);
    const missing = folders.filter((folder) => !existsSync(join(root, below, folder)));
    const summary = `Set up documentation for ${siteGenerators[ssg].title}`;
    const written = await writeFiles(
      state,
      { root, below, files, operation: "setup_structure", summary, dry_run, overwrite },
      call,
    );
    return {
      data: {
        docsPath: path,
        ssg,
        directoriesCreated: missing,
        diataxisCategories: folders,
        totalDirectories: folders.length,
        totalFiles: files.length,
        ...written,
      },
      nextSteps: [
        {
          action: "Populate the pages with facts",
          toolRequired: "populate_diataxis_content",
          priority: "high",
        },
        { action: "Check the pages", toolRequired: "validate_diataxis_content" },
      ],
    };
  }),
  present: ({ data, ...advice }) => renderResult(renderWriteResult(data), advice),
});
