import * as z from "zod";
import { operationsFor } from "../../../kernel/operation.ts";
import { type PageRequest, pageByOffset, pageInput, pageOutput } from "../pagination.ts";
import type { ObjectsState } from "../state.ts";
import { pathInput, requireText } from "../tool-arguments.ts";
import { type Diagnostic, diagnosticCode } from "../workspace/diagnostic.ts";
import { findWorkspaceFile } from "../workspace/workspace-files.ts";
import type { WorkspaceView } from "../workspace/workspace-view.ts";

const operation = operationsFor<ObjectsState>();

export const validateReferences = operation({
  name: "qmdc_validate_references",
  title: "Validate references",
  summary:
    "Problems in the workspace or in one file: broken and ambiguous references, duplicate ids, misplaced or malformed objects.",
  input: z.object({
    path: pathInput,
    file: z.string().max(4_096).optional().describe("Only this file"),
    ...pageInput,
  }),
  output: z.object({
    diagnostics: z.array(
      z.object({
        file: z.string(),
        line: z.int(),
        code: z.string(),
        type: z.string(),
        message: z.string(),
        severity: z.enum(["error", "warning"]),
      }),
    ),
    count: z.int(),
    ...pageOutput,
  }),
  effect: "reads",
  expose: { mcp: true, cli: "objects check <path>" },
  example: { path: "catalogue" },

  async run({ path, file, ...page }, { workspaces, boundary }) {
    if (file !== undefined) requireText(file, "file");
    const view = await workspaces.read(path);
    const only = file === undefined ? undefined : findWorkspaceFile(view, file.trim(), boundary);
    return listDiagnostics(view, only, page);
  },

  hasFailed: ({ total }) => total > 0,
});

export function listDiagnostics(view: WorkspaceView, only: string | undefined, page: PageRequest) {
  const diagnostics = view.allDiagnostics.filter(({ file }) => only === undefined || file === only);
  const { items, pageInfo } = pageByOffset(diagnostics, page);
  return { diagnostics: items.map(toDiagnosticOutput), count: items.length, ...pageInfo };
}

const toDiagnosticOutput = (diagnostic: Diagnostic) => ({
  file: diagnostic.file ?? "",
  line: diagnostic.line ?? 1,
  code: diagnosticCode(diagnostic),
  type: diagnostic.type,
  message: diagnostic.message,
  severity: diagnostic.severity,
});

export const diagnosticOperations = [validateReferences];
