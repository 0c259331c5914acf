import * as z from "zod";
import { textBlock } from "../../../kernel/operations/output-block.ts";
import { boundToPreview } from "../project/project-view.ts";
import {
  type AnyWriteOperation,
  type Plan,
  PlannedWrite,
  writeOperation,
} from "./planned-write.ts";

type Input = Record<string, unknown>;

const previewTokenInput = z
  .string()
  .optional()
  .meta({ help: "From a preview: fails if anything has changed since" });

/** Input of operations that delete only with `confirm`, as the founding document specifies. */
export const confirmInput = {
  confirm: z.boolean().default(false).describe("Otherwise only a preview"),
  preview_token: previewTokenInput,
};

/** Input of operations that delete unless `dry_run` is set. */
export const dryRunInput = {
  dry_run: z.boolean().default(false).meta({ help: "Only show what would be done" }),
  preview_token: previewTokenInput,
};

/** Output of a preview, in addition to the facts about what would be deleted. */
export const previewOutput = {
  preview: z.boolean().optional(),
  requires_approval: z.boolean().optional(),
  message: z.string().optional(),
  preview_token: z.string().optional(),
};

/**
 * Adds a preview to an operation that deletes. The preview is a dry run; its token is a digest of
 * all rows that would change, so a confirmation deletes exactly what the preview showed or fails.
 */
export function withDeletePreview(operation: AnyWriteOperation): AnyWriteOperation {
  const { effect, input: ownInput, present } = operation;
  if (effect !== "deletes") return operation;
  const needsConfirmation = "confirm" in ownInput.shape;
  return writeOperation({
    ...operation,
    input: needsConfirmation ? ownInput : ownInput.extend(dryRunInput),
    plan({ confirm, dry_run, preview_token, ...input }: Input, state, call) {
      if (needsConfirmation ? !confirm : dry_run) {
        const plan = operation.plan(input, state, call);
        return plan instanceof Promise ? plan.then(previewOf) : previewOf(plan);
      }
      const token = typeof preview_token === "string" ? preview_token : undefined;
      return operation.plan(input, token ? state.withView(boundToPreview(token)) : state, call);
    },
    ...(present && {
      present: (output, input, reader) =>
        output.preview ? [textBlock(`${output.message}.`)] : present(output, input, reader),
    }),
  });
}

/** If there is nothing to delete, the plan is already the output. */
function previewOf(plan: Plan<Input>): Input {
  if (!(plan instanceof PlannedWrite)) return plan;
  const { summary, preview, token } = plan.dryRun();
  return {
    message: summary,
    ...preview,
    preview: true,
    requires_approval: true,
    preview_token: token,
  };
}
