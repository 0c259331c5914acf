import { text } from "../../kernel/block.ts";
import { invalid } from "../../kernel/failure.ts";
import type { PromptSource } from "../../kernel/prompt.ts";
import { longestRun } from "../../text/longest-run.ts";
import type { TemplatePart } from "../../text/template.ts";
import { visible } from "../../text/visible.ts";
import { usualFence } from "./built-in-prompts.ts";
import { completedArgument } from "./completions.ts";
import { openEmbedding } from "./embedding.ts";
import { admittedValues } from "./prompt-arguments.ts";
import { shownPrompt } from "./prompt-file.ts";
import type { ArchitectureState } from "./state.ts";
import { toolText } from "./tool-text.ts";

/** Prompts that are filled with a caller's values and with documents. */
export const architecturePrompts: PromptSource<ArchitectureState> = {
  checksArguments: true,

  list: async ({ prompts }) => (await prompts.now()).map(shownPrompt),

  async render(name, given, { prompts, knowledge, index, tools }) {
    const prompt = (await prompts.now()).find((known) => known.name === name);
    if (!prompt) throw invalid(`Prompt not found: ${name}`);
    const values = admittedValues(prompt, given);
    const declared = new Set(prompt.arguments.map((argument) => argument.name));
    const embedding = openEmbedding({
      set: await knowledge.now(),
      index,
      chooseBy: prompt.isBuiltIn ? Object.values(values).join("\n") : undefined,
    });
    const fence = fenceAround(Object.values(values));
    // A language stands in a line with something else, and must not end it.
    const filled = (name: string): string =>
      name === "language" ? visible(values[name] ?? "") : (values[name] ?? "");
    const written = (part: TemplatePart): string => {
      switch (part.kind) {
        case "text":
          return prompt.isBuiltIn ? part.text.replaceAll(usualFence, fence) : part.text;
        case "argument":
          return declared.has(part.name) ? filled(part.name) : part.written;
        case "resource":
          return embedding.embed(part.address, values);
        case "tool":
          return tools
            .filter((tool) => tool.name === part.name)
            .map(toolText)
            .join("");
      }
    };
    // Part by part and once: what a value or a document holds is never read as a template.
    const messages = prompt.messages.map(({ role, parts }) => ({
      role,
      content: text(parts.map(written).join("")),
    }));
    return { description: shownPrompt(prompt).description, messages };
  },

  complete: async (_name, argument, typed, { knowledge }) =>
    completedArgument(await knowledge.now(), argument, typed),
};

/** Longer than any row of the same marks in the values, so that none of them can close it. */
function fenceAround(values: readonly string[]): string {
  const longest = longestRun(values.join("\n"), "~");
  return "~".repeat(Math.max(usualFence.length, longest + 1));
}
