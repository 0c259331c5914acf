import * as z from "zod";
import { type Block, text } from "../../kernel/block.ts";
import type { Call } from "../../kernel/call.ts";
import { visible } from "../../text/visible.ts";

/** The version of the tools' contract, as the founding document prints it. */
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

/** The form in which every tool of the shelf answers. */
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

/** What a tool says: its data, and what it advises beside. Empty lists are left out. */
export interface Said<Data> {
  data: Data;
  analysisId?: string | undefined;
  recommendations?: z.input<typeof Recommendation>[] | undefined;
  nextSteps?: z.input<typeof NextStep>[] | undefined;
}

/** Makes the `run` of an operation from work that gives its data: `run: answering(async (…) => …)`. */
export function answering<Input, State, Data>(
  work: (input: Input, state: State, call: Call) => Said<Data> | Promise<Said<Data>>,
) {
  return async (input: Input, state: State, call: Call) => {
    const started = performance.now();
    const {
      data,
      analysisId,
      recommendations = [],
      nextSteps = [],
    } = await work(input, state, call);
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

/**
 * What an answer says where the time was over before all was seen. A look that met nothing yet
 * stopped nowhere that has a name.
 */
export const partially = (stoppedAt: string | undefined) =>
  stoppedAt === undefined ? {} : { partial: true, stopped_at: stoppedAt || null };

/** The line that stands first where the time was over before all was seen, since it bears on the rest. */
export const partialLine = ({ partial, stopped_at }: Record<string, unknown>): string[] =>
  partial ? [visible(`Partial: stopped at ${stopped_at ?? "the top"}`)] : [];

/** What a reader sees of an answer: a short text, then the advice in lines. */
export function told(words: string, said: Omit<Said<unknown>, "data">): Block[] {
  const { recommendations = [], nextSteps = [] } = said;
  const advice = recommendations.map(
    ({ type, title, description }) => `- ${type}: ${title}. ${description}`,
  );
  const steps = nextSteps.map(({ action, toolRequired, description }) =>
    [`- ${action}`, toolRequired && ` (${toolRequired})`, description && `: ${description}`]
      .filter(Boolean)
      .join(""),
  );
  const parts = [
    words,
    ...(advice.length > 0 ? [`Recommendations:\n${advice.join("\n")}`] : []),
    ...(steps.length > 0 ? [`Next steps:\n${steps.join("\n")}`] : []),
  ];
  return [text(parts.join("\n\n"))];
}
