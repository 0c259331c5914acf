import * as z from "zod";
import { operationsFor } from "../../../kernel/operation.ts";
import { textBlock } from "../../../kernel/operations/output-block.ts";
import { architecturePrompts } from "../prompts/prompts.ts";
import type { ArchitectureState } from "../state.ts";

const operation = operationsFor<ArchitectureState>();

export const listPrompts = operation({
  name: "list_prompts",
  title: "List prompts",
  summary: "The prompts of the architecture, with the arguments that each takes.",
  input: z.object({}),
  output: z
    .object({
      prompts: z.array(
        z.object({
          name: z.string(),
          title: z.string().optional(),
          description: z.string(),
          arguments: z.array(
            z.object({
              name: z.string(),
              description: z.string().optional(),
              required: z.boolean().optional(),
            }),
          ),
        }),
      ),
    })
    .meta({ json: "prompts" }),
  effect: "reads",
  expose: { http: "GET /architecture/prompts", cli: "architecture prompts" },
  example: {},
  run: async (_, state) => ({ prompts: await architecturePrompts.list(state) }),
  present: ({ prompts }) => [
    textBlock(prompts.map(({ name, description }) => `${name}  ${description}`).join("\n")),
  ],
});

export const renderPrompt = operation({
  name: "render_prompt",
  title: "Preview a prompt",
  summary: "The messages that a prompt produces with these arguments.",
  input: z.object({
    name: z.string().min(1).max(200).describe("Name of the prompt"),
    arguments: z
      .record(z.string(), z.string())
      .default({})
      .describe('Values by argument name: {"topic": "…"}'),
  }),
  output: z.object({
    description: z.string(),
    messages: z.array(z.object({ role: z.enum(["user", "assistant"]), text: z.string() })),
  }),
  effect: "reads",
  expose: { http: "POST /architecture/prompts/{name}", cli: "architecture prompt <name>" },
  example: { name: "label-an-item", arguments: { item: "A brass lamp, dated 1890" } },
  async run({ name, arguments: values }, state, call) {
    const { description, messages } = await architecturePrompts.render(name, values, state, call);
    const textMessages = messages.flatMap(({ role, content }) =>
      content.type === "text" ? { role, text: content.text } : [],
    );
    return { description, messages: textMessages };
  },
  present: ({ messages }) => [textBlock(messages.map((message) => message.text).join("\n\n"))],
});

export const promptOperations = [listPrompts, renderPrompt];
