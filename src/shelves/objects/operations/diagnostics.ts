import * as z from "zod";
import { operationsOn } from "../../../kernel/operation.ts";
import { pathInput, said } from "../asked.ts";
import { type Complaint, codeOf } from "../complaint.ts";
import { fileNamed } from "../file-named.ts";
import { type Asked, pageByPlace, pageInput, pageOutput } from "../page.ts";
import type { ObjectsState } from "../state.ts";
import type { View } from "../view.ts";

const operation = operationsOn<ObjectsState>();

export const validateReferences = operation({
  name: "qmdc_validate_references",
  title: "Validate references",
  summary:
    "What is wrong in the workspace or in one file: broken and ambiguous references, duplicate ids, misplaced or malformed objects.",
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

  async run({ path, file, ...asked }, { workspaces, boundary }) {
    if (file !== undefined) said(file, "file");
    const view = await workspaces.at(path);
    const only = file === undefined ? undefined : fileNamed(view, file.trim(), boundary);
    return diagnosticsOf(view, only, asked);
  },

  hasFailed: ({ total }) => total > 0,
});

export function diagnosticsOf(view: View, only: string | undefined, asked: Asked) {
  const complaints = view.allComplaints.filter((one) => only === undefined || one.file === only);
  const { items, cut } = pageByPlace(complaints, asked);
  return { diagnostics: items.map(diagnosticOf), count: items.length, ...cut };
}

const diagnosticOf = (complaint: Complaint) => ({
  file: complaint.file ?? "",
  line: complaint.line ?? 1,
  code: codeOf(complaint),
  type: complaint.type,
  message: complaint.message,
  severity: complaint.severity,
});

export const diagnosticOperations = [validateReferences];
