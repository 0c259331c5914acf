import * as z from "zod";
import { invalid } from "../../../kernel/failure.ts";
import type { Prompt } from "../../../kernel/operations/prompt.ts";
import { parseTemplate, type TemplatePart } from "../../../text/formats/prompt-template.ts";
import { toPrintable } from "../../../text/strings/printable.ts";

/** A parsed prompt: its templates are parsed and its arguments have limits. */
export interface PromptTemplate {
  name: string;
  title: string | undefined;
  description: string;
  arguments: PromptArgument[];
  messages: { role: "user" | "assistant"; parts: TemplatePart[] }[];
  /** Built-in prompts select documents if all of them are too many. */
  isBuiltIn: boolean;
}

interface PromptArgument {
  name: string;
  description: string | undefined;
  required: boolean;
  /** In code points. */
  maxLength: number;
  /** Alternative names of the argument. */
  aliases: readonly string[];
}

const PromptFileSchema = z.object({
  name: z.string().regex(/^[a-z0-9-]+$/, "must consist of lower-case letters, digits and hyphens"),
  title: z.string().optional(),
  description: z.string().default(""),
  arguments: z
    .array(
      z.object({
        name: z.string().regex(/^[a-zA-Z0-9_-]+$/, "must consist of letters, digits, _ and -"),
        description: z.string().optional(),
        required: z.boolean().default(false),
        maxLength: z.int().min(0).optional(),
      }),
    )
    .default([])
    .refine(haveUniqueNames, "two arguments have the same name"),
  messages: z
    .array(
      z.object({
        role: z.enum(["user", "assistant"]),
        content: z.object({
          type: z.literal("text"),
          text: z.string().min(1, "must not be empty"),
        }),
      }),
    )
    .min(1, "at least one is required"),
});

export type PromptFileContent = z.input<typeof PromptFileSchema>;

/** Parses a prompt file; throws with the problem if it is invalid. */
export function parsePromptFile(text: string, tools: readonly string[]): PromptTemplate {
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    throw invalid("it is not JSON");
  }
  const parsed = PromptFileSchema.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw invalid(`${issue?.path.join(".") || "the file"}: ${issue?.message}`);
  }
  const prompt = createPromptTemplate(parsed.data, false);
  for (const { parts } of prompt.messages) {
    for (const part of parts) {
      if (part.kind !== "tool" || tools.includes(part.name)) continue;
      throw invalid(`messages: there is no tool '${part.name}'`);
    }
  }
  return prompt;
}

/** `aliases` is keyed by argument name; only built-in prompts have any. */
export function createPromptTemplate(
  content: PromptFileContent,
  isBuiltIn: boolean,
  aliases: Readonly<Record<string, readonly string[]>> = {},
): PromptTemplate {
  const prompt = PromptFileSchema.parse(content);
  return {
    name: prompt.name,
    title: prompt.title,
    description: prompt.description,
    arguments: prompt.arguments.map(({ name, description, required, maxLength }) => ({
      name,
      description,
      required,
      // Zero means no limit is given, as in the founding project.
      maxLength: maxLength || defaultMaxLength(name),
      aliases: Object.hasOwn(aliases, name) ? (aliases[name] ?? []) : [],
    })),
    messages: prompt.messages.map(({ role, content }) => ({
      role,
      parts: parseTemplate(content.text),
    })),
    isBuiltIn,
  };
}

/** Code may be long; a description is a few sentences. */
export const maxCodeLength = 10_000;
export const maxDescriptionLength = 2_000;

const defaultMaxLength = (name: string): number =>
  /description|problem|topic|context/i.test(name) ? maxDescriptionLength : maxCodeLength;

function haveUniqueNames(all: readonly { name: string }[]): boolean {
  return new Set(all.map(({ name }) => name)).size === all.length;
}

/** A prompt for lists. Limits are not part of the protocol; only errors mention them. */
export const toListedPrompt = (prompt: PromptTemplate): Prompt => ({
  name: prompt.name,
  ...(prompt.title !== undefined && { title: toPrintable(prompt.title) }),
  description: toPrintable(prompt.description),
  arguments: prompt.arguments.map(({ name, description, required }) => ({
    name,
    ...(description !== undefined && { description: toPrintable(description) }),
    required,
  })),
});
