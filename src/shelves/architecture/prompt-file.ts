import * as z from "zod";
import { invalid } from "../../kernel/failure.ts";
import type { Prompt } from "../../kernel/prompt.ts";
import { readTemplate, type TemplatePart } from "../../text/template.ts";
import { visible } from "../../text/visible.ts";

/** A prompt as it is kept: its templates are read, its arguments have their limits. */
export interface PromptTemplate {
  name: string;
  title: string | undefined;
  description: string;
  arguments: PromptArgument[];
  messages: { role: "user" | "assistant"; parts: TemplatePart[] }[];
  /** One of ours: it chooses among documents where all of them are too many. */
  isBuiltIn: boolean;
}

interface PromptArgument {
  name: string;
  description: string | undefined;
  required: boolean;
  /** In code points. */
  maxLength: number;
  /** Other names under which a value is taken. */
  aliases: readonly string[];
}

const File = z.object({
  name: z.string().regex(/^[a-z0-9-]+$/, "must be of small letters, digits and hyphens"),
  title: z.string().optional(),
  description: z.string().default(""),
  arguments: z
    .array(
      z.object({
        name: z.string().regex(/^[a-zA-Z0-9_-]+$/, "must be of letters, digits, _ and -"),
        description: z.string().optional(),
        required: z.boolean().default(false),
        maxLength: z.int().min(0).optional(),
      }),
    )
    .default([])
    .refine(areDifferent, "two arguments have one name"),
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
    .min(1, "at least one is needed"),
});

export type WrittenPrompt = z.input<typeof File>;

/** The prompt that a JSON file holds; a failure that says what is wrong with it. */
export function readPromptFile(text: string, tools: readonly string[]): PromptTemplate {
  let written: unknown;
  try {
    written = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    throw invalid("it is no JSON");
  }
  const parsed = File.safeParse(written);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw invalid(`${issue?.path.join(".") || "the file"}: ${issue?.message}`);
  }
  const prompt = templateOf(parsed.data, false);
  for (const { parts } of prompt.messages) {
    for (const part of parts) {
      if (part.kind !== "tool" || tools.includes(part.name)) continue;
      throw invalid(`messages: there is no tool '${part.name}'`);
    }
  }
  return prompt;
}

/** `aliases` is by argument; only prompts of our own have any. */
export function templateOf(
  written: WrittenPrompt,
  isBuiltIn: boolean,
  aliases: Readonly<Record<string, readonly string[]>> = {},
): PromptTemplate {
  const prompt = File.parse(written);
  return {
    name: prompt.name,
    title: prompt.title,
    description: prompt.description,
    arguments: prompt.arguments.map(({ name, description, required, maxLength }) => ({
      name,
      description,
      required,
      // Nought says nothing, as in the founding project.
      maxLength: maxLength || usualLimit(name),
      aliases: Object.hasOwn(aliases, name) ? (aliases[name] ?? []) : [],
    })),
    messages: prompt.messages.map(({ role, content }) => ({
      role,
      parts: readTemplate(content.text),
    })),
    isBuiltIn,
  };
}

/** Code may be long; a description says in a few sentences what is meant. */
export const longestCode = 10_000;
export const longestDescription = 2_000;

const usualLimit = (name: string): number =>
  /description|problem|topic|context/i.test(name) ? longestDescription : longestCode;

function areDifferent(all: readonly { name: string }[]): boolean {
  return new Set(all.map(({ name }) => name)).size === all.length;
}

/** A prompt as it is listed; limits are told only when they are passed. */
export const shownPrompt = (prompt: PromptTemplate): Prompt => ({
  name: prompt.name,
  ...(prompt.title !== undefined && { title: visible(prompt.title) }),
  description: visible(prompt.description),
  arguments: prompt.arguments.map(({ name, description, required }) => ({
    name,
    ...(description !== undefined && { description: visible(description) }),
    required,
  })),
});
