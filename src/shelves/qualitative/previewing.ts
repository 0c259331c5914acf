import * as z from "zod";
import { text } from "../../kernel/block.ts";
import type { AnyOperation } from "../../kernel/operation.ts";
import { boundTo } from "./face.ts";
import { Rehearsal } from "./rehearsal.ts";
import { onTrial } from "./rehearsing.ts";
import type { QualitativeState } from "./state.ts";

type Given = Record<string, unknown>;

const previewToken = z
  .string()
  .optional()
  .meta({ says: "What a preview gave: done only if nothing changed since" });

/** Of what deletes only where it is confirmed, as the founding document has it. */
export const confirmInput = {
  confirm: z.boolean().default(false).describe("Without it, only a preview"),
  preview_token: previewToken,
};

/** Of what deletes at once, unless it is asked to show what it would do. */
export const dryInput = {
  dry_run: z.boolean().default(false).meta({ says: "Only show what would be done" }),
  preview_token: previewToken,
};

/** What a preview tells beside what it is about. */
export const previewShape = {
  preview: z.boolean().optional(),
  requires_approval: z.boolean().optional(),
  message: z.string().optional(),
  preview_token: z.string().optional(),
};

/**
 * Lets everything that deletes be looked at first. A preview is the deed itself, taken back; its
 * token is a mark of all rows that would change, so who confirms it gets exactly that or nothing.
 */
export function previewing(
  operation: AnyOperation<QualitativeState>,
): AnyOperation<QualitativeState> {
  const { effect, input: own, present } = operation;
  if (effect !== "deletes") return operation;
  const isConfirmed = "confirm" in own.shape;
  return {
    ...operation,
    input: isConfirmed ? own : own.extend(dryInput),
    async run({ confirm, dry_run, preview_token, ...input }: Given, state, call) {
      if (isConfirmed ? confirm : !dry_run) {
        const token = typeof preview_token === "string" ? preview_token : undefined;
        return operation.run(input, token ? state.facing(boundTo(token)) : state, call);
      }
      try {
        return await operation.run(input, onTrial(state), call);
      } catch (error) {
        if (!(error instanceof Rehearsal)) throw error;
        const { summary: message, seen } = error;
        const { preview, token } = seen;
        const about = { message, ...preview };
        return { ...about, preview: true, requires_approval: true, preview_token: token };
      }
    },
    ...(present && {
      present: (output, input, reader) =>
        output.preview ? [text(`${output.message}.`)] : present(output, input, reader),
    }),
  };
}
