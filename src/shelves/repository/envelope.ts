import * as z from "zod";
import type { Call } from "../../kernel/call.ts";
import { type OutputBlock, textBlock } from "../../kernel/operations/output-block.ts";
import { isSteps, type Steps } from "../../kernel/storage/steps.ts";
import type { Store } from "../../kernel/storage/store.ts";
import { toPrintable } from "../../text/strings/printable.ts";

/** The version of the tool contract, as in the founding document. */
const toolVersion = "1.0.0";

const Recommendation = z.object({
  type: z.enum(["info", "warning", "critical"]),
  title: z.string(),
  description: z.string(),
  action: z.string().optional(),
});

const NextStep = z.object({
  action: z.string(),
  toolRequired: z.string().optional(),
  description: z.string().optional(),
  priority: z.enum(["low", "medium", "high"]).optional(),
});

/** The result format of every tool of this shelf. */
export const envelope = <Data extends z.ZodType>(data: Data) =>
  z.object({
    success: z.literal(true),
    data,
    metadata: z.object({
      toolVersion: z.string(),
      executionTime: z.number().min(0).describe("Milliseconds"),
      timestamp: z.iso.datetime(),
      analysisId: z.string().optional(),
    }),
    recommendations: z.array(Recommendation).optional(),
    nextSteps: z.array(NextStep).optional(),
  });

/** The result of a tool: data and advice. Empty lists are omitted. */
export interface ToolResult<Data> {
  data: Data;
  analysisId?: string | undefined;
  recommendations?: z.input<typeof Recommendation>[] | undefined;
  nextSteps?: z.input<typeof NextStep>[] | undefined;
}

type ToolAnswer<Data> = ToolResult<Data> | Promise<ToolResult<Data>> | Steps<ToolResult<Data>>;

/** Wraps a function that returns a `ToolResult` as the `run` of an operation. */
export function withEnvelope<Input, State extends { readonly store: Store }, Data>(
  work: (input: Input, state: State, call: Call) => ToolAnswer<Data>,
) {
  return async (input: Input, state: State, call: Call) => {
    const started = performance.now();
    const answer = work(input, state, call);
    const result = isSteps<ToolResult<Data>>(answer) ? state.store.run(answer) : answer;
    const { data, analysisId, recommendations = [], nextSteps = [] } = await result;
    return {
      success: true as const,
      data,
      metadata: {
        toolVersion,
        executionTime: Math.round(performance.now() - started),
        timestamp: new Date().toISOString(),
        ...(analysisId !== undefined && { analysisId }),
      },
      ...(recommendations.length > 0 && { recommendations }),
      ...(nextSteps.length > 0 && { nextSteps }),
    };
  };
}

/** The fields of a partial result. `stopped_at` is null if nothing was reached yet. */
export const partialFields = (stoppedAt: string | undefined) =>
  stoppedAt === undefined ? {} : { partial: true, stopped_at: stoppedAt || null };

/** The first line of a partial result; it comes first because it qualifies the rest. */
export const partialLine = ({ partial, stopped_at }: Record<string, unknown>): string[] =>
  partial ? [toPrintable(`Partial: stopped at ${stopped_at ?? "the top"}`)] : [];

/** Renders a result as text: a summary, then the advice. */
export function renderResult(
  summary: string,
  advice: Omit<ToolResult<unknown>, "data">,
): OutputBlock[] {
  const { recommendations = [], nextSteps = [] } = advice;
  const recommendationLines = recommendations.map(
    ({ type, title, description }) => `- ${type}: ${title}. ${description}`,
  );
  const steps = nextSteps.map(({ action, toolRequired, description }) =>
    [`- ${action}`, toolRequired && ` (${toolRequired})`, description && `: ${description}`]
      .filter(Boolean)
      .join(""),
  );
  const parts = [
    summary,
    ...(recommendationLines.length > 0
      ? [`Recommendations:\n${recommendationLines.join("\n")}`]
      : []),
    ...(steps.length > 0 ? [`Next steps:\n${steps.join("\n")}`] : []),
  ];
  return [textBlock(parts.join("\n\n"))];
}
