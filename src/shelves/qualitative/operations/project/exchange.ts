import { basename } from "node:path";
import * as z from "zod";
import { isPerson } from "../../../../kernel/call.ts";
import { Failure } from "../../../../kernel/failure.ts";
import { textBlock } from "../../../../kernel/operations/output-block.ts";
import { pluralise } from "../../../../text/strings/pluralise.ts";
import { contentCountsOf } from "../../exchange/content.ts";
import { createLossReport, formatLosses, Loss } from "../../exchange/losses.ts";
import { planSideEffect, writeOperation } from "../../governance/planned-write.ts";
import { unnamedCoder } from "../../project/coder.ts";
import { agentView } from "../../project/project-view.ts";
import { requireSameProject } from "../../project/same-project.ts";
import { changeId } from "../inputs.ts";

const countsOutput = {
  source_count: z.int(),
  code_count: z.int(),
  segment_count: z.int(),
};

const lossesOutput = z.array(Loss).describe("Omitted and changed data");

const importProject = writeOperation({
  name: "import_project",
  title: "Import a project",
  summary:
    "Create a project from another program's file and open it: REFI-QDA (.qdpx, .qdc), Taguette (SQLite), or codes as .txt or .csv.",
  input: z.object({
    file: z.string().min(1).describe("The file to read").meta({ path: true }),
    path: z.string().min(1).describe("The folder to create: DIR.qda").meta({ path: true }),
  }),
  output: z.object({
    project_name: z.string(),
    project_path: z.string(),
    coder: z.string().describe("The coder name of people in it, until they set their own"),
    ...countsOutput,
    losses: lossesOutput,
  }),
  effect: "writes",
  expose: { http: "POST /qualitative/projects/import", cli: "project import <file> <path>" },
  example: { file: "codes.txt", path: "Imported.qda" },
  async plan({ file, path }, state, call) {
    const { readExchangeFile } = await import("../../exchange/import/read-exchange-file.ts");
    const { createImportedProject } = await import("../../exchange/import/imported-project.ts");
    const { withFileNamedInErrors } = await import("../../exchange/import/import-errors.ts");
    return withFileNamedInErrors(file, async () => {
      const imported = await readExchangeFile(state.boundary, file);
      return planSideEffect(`Imported a project as '${path}'`, () =>
        withFileNamedInErrors(file, async () => {
          const created = await createImportedProject(state.boundary, path, imported, call);
          const project = await state.open(created);
          const entry = {
            call,
            operation: "import_project",
            summary: `Imported the project '${project.name}'`,
            project: { root: project.path, name: project.name },
          };
          await state.store.run(state.activity.record(entry));
          return {
            project_name: project.name,
            project_path: project.path,
            coder: imported.content.coder ?? unnamedCoder,
            ...contentCountsOf(imported.content),
            losses: imported.losses.list(),
          };
        }),
      );
    });
  },
  present: ({ project_name, coder, losses, ...numbers }) => [
    ...formatTransfer(`Imported the project '${project_name}'`, numbers, losses),
    textBlock(`You code in it as ${coder}; \`lectern project coder NAME --is-me\` changes that.`),
  ],
});

const Privacy = z.enum(["included", "left-out"]);

const exportProject = writeOperation({
  name: "export_project",
  title: "Export the project",
  summary:
    "Export the open project to a new file for other programs: .qdpx with everything, or its codes as .qdc, .txt or .csv. Lists the data that the format cannot represent.",
  input: z.object({
    file: z.string().min(1).describe("The file to create").meta({ path: true }),
    private: Privacy.default("left-out")
      .describe("Private memos and sources; a person includes them, by default at the command line")
      .meta({ shell: { default: () => "included", label: "included" } }),
  }),
  output: z.object({ file: z.string(), ...countsOutput, private: Privacy, losses: lossesOutput }),
  effect: "writes",
  expose: { http: "POST /qualitative/projects/export", cli: "project export <file>" },
  example: { file: "interviews.qdpx" },
  async plan({ file, private: privacy }, state, call) {
    const { exportContent, exportFormatOf } = await import("../../exchange/export/export-file.ts");
    const { collectCodes, collectContent } = await import(
      "../../exchange/export/collect-content.ts"
    );
    const isWhole = privacy === "included";
    if (isWhole && !isPerson(call)) throw onlyPersonsExportPrivate();
    const project = isWhole ? state.requireProject() : agentView(state.requireProject());
    const format = exportFormatOf(file);
    return planSideEffect(`Exported the project to '${file}'`, async () => {
      const losses = createLossReport();
      const collect = format === "qdpx" ? collectContent : collectCodes;
      const content = collect({ project, isWhole, losses });
      const written = await exportContent(state.boundary, file, content, losses);
      const entry = {
        call,
        operation: "export_project",
        summary: `Exported the project '${project.name}' to ${basename(written)}`,
        project: { root: project.path, name: project.name },
      };
      await state.store.run(state.activity.record(entry));
      return {
        file: written,
        ...contentCountsOf(content),
        private: privacy,
        losses: losses.list(),
      };
    });
  },
  present: ({ file, losses, private: is, ...numbers }) => [
    ...formatTransfer(`Wrote ${file}`, numbers, losses),
    textBlock(is === "included" ? "It includes private data." : "Private data was left out."),
  ],
});

const onlyPersonsExportPrivate = (): Failure =>
  new Failure("forbidden", "ONLY_A_PERSON", "Only a person can export private data.", {
    hints: ["Omit 'private'."],
  });

const importCodes = writeOperation({
  name: "import_codes",
  title: "Import codes",
  summary:
    "Add the codes and categories of a file to the open project: .qdc, .qdpx, a list (.txt) or a table (.csv). Existing ones stay unchanged.",
  input: z.object({ file: z.string().min(1).describe("The file to read").meta({ path: true }) }),
  output: z.object({
    codes_added: z.int(),
    categories_added: z.int(),
    already_there: z.int(),
    losses: lossesOutput,
    change_id: changeId.optional(),
  }),
  effect: "writes",
  expose: { http: "POST /qualitative/codes/import", cli: "codes import <file>" },
  example: { file: "codes.txt" },
  async plan({ file }, state, call) {
    const { path } = state.requireProject();
    const { readExchangeFile } = await import("../../exchange/import/read-exchange-file.ts");
    const { planImportedCodes } = await import("../../exchange/import/add-codes.ts");
    const { withFileNamedInErrors } = await import("../../exchange/import/import-errors.ts");
    return withFileNamedInErrors(file, async () => {
      const { content, losses } = await readExchangeFile(state.boundary, file);
      const project = () => requireSameProject(state, path, "CODES_NOT_IMPORTED");
      return planImportedCodes(project, content, losses, call);
    });
  },
  present: ({ codes_added, categories_added, already_there, losses }) => [
    textBlock(
      [
        `Codes added: ${codes_added}. Categories added: ${categories_added}. Already in the project: ${already_there}.`,
        ...formatLosses(losses),
      ].join("\n"),
    ),
  ],
});

function formatTransfer(
  sentence: string,
  numbers: { source_count: number; code_count: number; segment_count: number },
  losses: readonly z.infer<typeof Loss>[],
) {
  const { source_count, code_count, segment_count } = numbers;
  const facts = [
    pluralise(source_count, "source"),
    pluralise(code_count, "code"),
    pluralise(segment_count, "coded segment"),
  ].join(", ");
  const report = losses.length === 0 ? ["No data was left out or changed."] : formatLosses(losses);
  return [textBlock([`${sentence}: ${facts}.`, ...report].join("\n"))];
}

export const exchangeOperations = [importProject, exportProject, importCodes];
