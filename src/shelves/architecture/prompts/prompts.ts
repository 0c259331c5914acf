import { type Failure, invalid } from "../../../kernel/failure.ts";
import { textBlock } from "../../../kernel/operations/output-block.ts";
import type { PromptSource } from "../../../kernel/operations/prompt.ts";
import type { TemplatePart } from "../../../text/formats/prompt-template.ts";
import { longestRun } from "../../../text/markdown/longest-run.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import { completeArgument } from "../knowledge/completions.ts";
import type { ArchitectureState } from "../state.ts";
import { defaultFence } from "./built-in-prompts.ts";
import { createDocumentInclusion } from "./document-inclusion.ts";
import { type PromptTemplate, toListedPrompt } from "./prompt-file.ts";
import { describeTool } from "./tool-description.ts";

/** Prompts filled with a caller's values and with documents. */
export const architecturePrompts: PromptSource<ArchitectureState> = {
  checksArguments: true,

  list: async ({ prompts }) => (await prompts.read()).map(toListedPrompt),

  async render(name, passed, { prompts, knowledge, index, tools }) {
    const prompt = (await prompts.read()).find((known) => known.name === name);
    if (!prompt) throw invalid(`Prompt not found: ${name}`);
    const values = resolveArguments(prompt, passed);
    const declared = new Set(prompt.arguments.map((argument) => argument.name));
    const inclusion = createDocumentInclusion({
      set: await knowledge.read(),
      index,
      chooseBy: prompt.isBuiltIn ? Object.values(values).join("\n") : undefined,
    });
    const fence = fenceAround(Object.values(values));
    // A language is inserted within a line and must not end it.
    const argumentText = (name: string): string =>
      name === "language" ? toPrintable(values[name] ?? "") : (values[name] ?? "");
    const renderPart = (part: TemplatePart): string => {
      switch (part.kind) {
        case "text":
          return prompt.isBuiltIn ? part.text.replaceAll(defaultFence, fence) : part.text;
        case "argument":
          return declared.has(part.name) ? argumentText(part.name) : part.written;
        case "resource":
          return inclusion.include(part.address, values);
        case "tool":
          return tools
            .filter((tool) => tool.name === part.name)
            .map(describeTool)
            .join("");
      }
    };
    // Parts are rendered once: a value or document is never parsed as a template.
    const messages = prompt.messages.map(({ role, parts }) => ({
      role,
      content: textBlock(parts.map(renderPart).join("")),
    }));
    return { description: toListedPrompt(prompt).description, messages };
  },

  complete: async (_name, argument, typed, { knowledge }) =>
    completeArgument(await knowledge.read(), argument, typed),
};

/**
 * Maps aliases to the prompt's argument names. Throws if an argument is missing, unknown or too
 * long.
 */
function resolveArguments(
  { arguments: parameters }: PromptTemplate,
  passed: Readonly<Record<string, string>>,
): Record<string, string> {
  // An argument may have any name, even `constructor`.
  const values: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(passed)) {
    const argument = parameters.find((one) => one.name === name || one.aliases.includes(name));
    if (!argument) {
      const names = parameters.map((one) => one.name).join(", ") || "none";
      throw invalidArgument(
        `unknown argument: ${toPrintable(name).slice(0, 200)}`,
        `Known: ${names}.`,
      );
    }
    // The argument's own name wins over an alias.
    if (argument.name === name || passed[argument.name] === undefined)
      values[argument.name] = value;
  }
  for (const { name, required, maxLength } of parameters) {
    const value = values[name] ?? "";
    if (required && value.trim() === "")
      throw invalidArgument(`required argument missing: ${name}`);
    if (value.length > maxLength && [...value].length > maxLength) {
      throw invalidArgument(
        `argument '${name}': value exceeds maximum length of ${maxLength} characters`,
      );
    }
  }
  return values;
}

const invalidArgument = (reason: string, ...hints: string[]): Failure =>
  invalid(`argument validation failed: ${reason}`, hints);

/** Longer than any run of tildes in the values, so that none can close it. */
function fenceAround(values: readonly string[]): string {
  const longest = longestRun(values.join("\n"), "~");
  return "~".repeat(Math.max(defaultFence.length, longest + 1));
}
