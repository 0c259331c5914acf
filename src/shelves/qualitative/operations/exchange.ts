import { basename } from "node:path";
import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { isPerson } from "../../../kernel/call.ts";
import { Failure } from "../../../kernel/failure.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { counted } from "../../../text/counted.ts";
import { unnamedCoder } from "../coder.ts";
import { countsOf } from "../exchange/content.ts";
import { keepLosses, Loss, lossLines } from "../exchange/losses.ts";
import { forAgents } from "../face.ts";
import type { QualitativeState } from "../state.ts";
import { stillOpen } from "../still-open.ts";
import { changeId } from "./ids.ts";

const operation = operationsOn<QualitativeState>();

const counts = {
  source_count: z.int(),
  code_count: z.int(),
  segment_count: z.int(),
};

const losses = z.array(Loss).describe("What was left out or changed, and why");

const importProject = operation({
  name: "import_project",
  title: "Import a project",
  summary:
    "Make a new project of another program's file and open it: REFI-QDA (.qdpx, .qdc), Taguette (SQLite), or codes as .txt or .csv.",
  input: z.object({
    file: z.string().min(1).describe("The file to read").meta({ path: true }),
    path: z.string().min(1).describe("The folder to be made: DIR.qda").meta({ path: true }),
  }),
  output: z.object({
    project_name: z.string(),
    project_path: z.string(),
    coder: z.string().describe("In whose name people code in it until they say who they are"),
    ...counts,
    losses,
  }),
  effect: "writes",
  expose: { http: "POST /qualitative/projects/import", cli: "project import <file> <path>" },
  example: { file: "codes.txt", path: "Imported.qda" },
  async run({ file, path }, state, call) {
    const { openExchange } = await import("../exchange/opening.ts");
    const { makeImported } = await import("../exchange/new-project.ts");
    const { namingFile } = await import("../exchange/refusal.ts");
    return namingFile(file, async () => {
      const found = await openExchange(state.boundary, file);
      state.act(`Imported a project as '${path}'`);
      const made = await makeImported(state.boundary, path, found, call);
      const project = state.open(made);
      state.activity.record({
        call,
        operation: "import_project",
        summary: `Imported the project '${project.name}'`,
        project: { root: project.path, name: project.name },
      });
      return {
        project_name: project.name,
        project_path: project.path,
        coder: found.content.coder ?? unnamedCoder,
        ...countsOf(found.content),
        losses: found.losses.list(),
      };
    });
  },
  present: ({ project_name, coder, losses, ...numbers }) => [
    ...lines(`Imported the project '${project_name}'`, numbers, losses),
    text(`You code in it as ${coder}; \`lectern project coder NAME --is-me\` changes that.`),
  ],
});

const Privacy = z.enum(["included", "left-out"]);

const exportProject = operation({
  name: "export_project",
  title: "Export the project",
  summary:
    "Write the open project to a new file for other programs: .qdpx with everything, or its codes as .qdc, .txt or .csv. Tells what the format cannot hold.",
  input: z.object({
    file: z.string().min(1).describe("The file to be made").meta({ path: true }),
    private: Privacy.default("left-out")
      .describe("Private memos and sources; a person includes them, by default at the command line")
      .meta({ shell: { default: () => "included", says: "included" } }),
  }),
  output: z.object({ file: z.string(), ...counts, private: Privacy, losses }),
  effect: "writes",
  expose: { http: "POST /qualitative/projects/export", cli: "project export <file>" },
  example: { file: "interviews.qdpx" },
  async run({ file, private: wanted }, state, call) {
    const { exportContent, formatOfFile } = await import("../exchange/exporting.ts");
    const { gatherCodes, gatherContent } = await import("../exchange/gathering.ts");
    const isWhole = wanted === "included";
    if (isWhole && !isPerson(call)) throw onlyAPerson();
    const project = isWhole ? state.needed() : forAgents(state.needed());
    const format = formatOfFile(file);
    state.act(`Exported the project to '${file}'`);
    const losses = keepLosses();
    const gather = format === "qdpx" ? gatherContent : gatherCodes;
    const content = gather({ project, isWhole, losses });
    const written = await exportContent(state.boundary, file, content, losses);
    state.activity.record({
      call,
      operation: "export_project",
      summary: `Exported the project '${project.name}' to ${basename(written)}`,
      project: { root: project.path, name: project.name },
    });
    return { file: written, ...countsOf(content), private: wanted, losses: losses.list() };
  },
  present: ({ file, losses, private: is, ...numbers }) => [
    ...lines(`Wrote ${file}`, numbers, losses),
    text(is === "included" ? "It holds what is private too." : "What is private was left out."),
  ],
});

const onlyAPerson = (): Failure =>
  new Failure("forbidden", "ONLY_A_PERSON", "Only a person's export holds what is private.", {
    hints: ["Leave out 'private'."],
  });

const importCodes = operation({
  name: "import_codes",
  title: "Import codes",
  summary:
    "Add the codes and categories of a file to the open project: .qdc, .qdpx, a list (.txt) or a table (.csv). Those that are there already stay as they are.",
  input: z.object({ file: z.string().min(1).describe("The file to read").meta({ path: true }) }),
  output: z.object({
    codes_added: z.int(),
    categories_added: z.int(),
    already_there: z.int(),
    losses,
    change_id: changeId.optional(),
  }),
  effect: "writes",
  expose: { http: "POST /qualitative/codes/import", cli: "codes import <file>" },
  example: { file: "codes.txt" },
  async run({ file }, state, call) {
    const { path } = state.needed();
    const { openExchange } = await import("../exchange/opening.ts");
    const { addCodes } = await import("../exchange/adding-codes.ts");
    const { namingFile } = await import("../exchange/refusal.ts");
    return namingFile(file, async () => {
      const { content, losses } = await openExchange(state.boundary, file);
      const project = stillOpen(state, path, "CODES_NOT_IMPORTED");
      const added = addCodes(project, content, losses, call);
      if (added.change_id !== undefined) call.announce({ topic: "segments.changed" });
      return { ...added, losses: losses.list() };
    });
  },
  present: ({ codes_added, categories_added, already_there, losses }) => [
    text(
      [
        `Codes added: ${codes_added}. Categories added: ${categories_added}. There already: ${already_there}.`,
        ...lossLines(losses),
      ].join("\n"),
    ),
  ],
});

function lines(
  done: string,
  numbers: { source_count: number; code_count: number; segment_count: number },
  losses: readonly z.infer<typeof Loss>[],
) {
  const { source_count, code_count, segment_count } = numbers;
  const about = [
    counted(source_count, "source"),
    counted(code_count, "code"),
    counted(segment_count, "coded segment"),
  ].join(", ");
  const report = losses.length === 0 ? ["Nothing was lost."] : lossLines(losses);
  return [text([`${done}: ${about}.`, ...report].join("\n"))];
}

export const exchangeOperations = [importProject, exportProject, importCodes];
