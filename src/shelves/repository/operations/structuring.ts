import { existsSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { operationsOn } from "../../../kernel/operation.ts";
import { answering, envelope, told } from "../envelope.ts";
import { generators, ssgInput } from "../generators.ts";
import type { RepositoryState } from "../state.ts";
import { categories, structureFiles } from "../structure.ts";
import { folderToWrite, writeFiles, writingInput, writtenShape, writtenText } from "../writing.ts";

const operation = operationsOn<RepositoryState>();

export const setupStructure = operation({
  name: "setup_structure",
  title: "Lay out documentation",
  summary: "Make tutorials, how-to, reference and explanation with an index page each.",
  input: z.object({
    path: z.string().min(1).describe("The documentation's folder").meta({ path: true }),
    ssg: ssgInput,
    includeExamples: z.boolean().default(true).describe("A page with questions in each part"),
    ...writingInput,
  }),
  output: envelope(
    z.object({
      docsPath: z.string(),
      ssg: ssgInput,
      directoriesCreated: z.array(z.string()),
      diataxisCategories: z.array(z.string()),
      totalDirectories: z.int(),
      totalFiles: z.int(),
      ...writtenShape,
    }),
  ),
  effect: "writes",
  expose: {
    mcp: true,
    http: "POST /repository/structure",
    cli: "repository structure <path> <ssg>",
  },
  example: { path: "docs", ssg: "mkdocs" },
  run: answering((input, state, call) => {
    const { path, ssg, includeExamples, dry_run, overwrite } = input;
    const { root, below } = folderToWrite(state.boundary, path);
    const files = structureFiles(ssg, includeExamples);
    const folders = categories.map(({ folder }) => folder);
    const missing = folders.filter((folder) => !existsSync(join(root, below, folder)));
    const summary = `Laid out documentation for ${generators[ssg].title}`;
    const written = writeFiles(
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
          action: "Fill the pages with what is known",
          toolRequired: "populate_diataxis_content",
          priority: "high",
        },
        { action: "Check the pages", toolRequired: "validate_diataxis_content" },
      ],
    };
  }),
  present: ({ data, ...said }) => told(writtenText(data), said),
});
