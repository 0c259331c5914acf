import { issueMessage } from "../../../kernel/calls/issue-message.ts";
import { invalid } from "../../../kernel/failure.ts";
import { didYouMean } from "../../did-you-mean.ts";
import type { Flag } from "./flag.ts";

/** Converts one argument to the type of its flag. `label` names the flag in errors: `--limit`. */
export function convertValue(flag: Flag, label: string, typed: string): unknown {
  if (flag.choices.length > 0) return matchChoice(flag, label, typed);
  switch (flag.valueType) {
    case "number":
      return readNumber(label, typed, "a number", Number.isFinite);
    case "whole number":
      return readNumber(label, typed, "a whole number", Number.isSafeInteger);
    case "nothing":
      if (typed === "true" || typed === "false") return typed === "true";
      throw invalid(`${label} must be true or false, not ${quoteInput(typed)}.`);
    case "json":
      return readJson(label, typed);
    case "text":
      return typed;
  }
}

/** Validates with the schema. Errors name the flag instead of the schema's key. */
export function checkValue(flag: Flag, label: string, value: unknown): void {
  const checked = flag.schema.safeParse(value);
  if (checked.success) return;
  const problems = checked.error.issues.map((issue) => {
    const { path } = issue;
    const at = path.length > 0 && flag.valueType === "json" ? ` at ${path.join(".")}` : "";
    return `${label}${at}: ${issueMessage(issue)}`;
  });
  throw invalid(`${[...new Set(problems)].join("; ")}.`);
}

/** User input for a message: quoted, on one line and truncated. */
export function quoteInput(typed: string): string {
  const characters = [...typed.replace(/\s/g, " ")];
  return `'${characters.length > maxQuotedLength ? `${characters.slice(0, maxQuotedLength).join("")}…` : characters.join("")}'`;
}

const maxQuotedLength = 60;

function matchChoice(flag: Flag, label: string, typed: string): string {
  const meant = flag.choices.find((choice) => choice.toLowerCase() === typed.toLowerCase());
  if (meant !== undefined) return meant;

  throw invalid(`${label} must be one of ${flag.choices.join(", ")}, not ${quoteInput(typed)}.`, [
    ...didYouMean(typed, flag.choices),
  ]);
}

function readNumber(
  label: string,
  typed: string,
  wanted: string,
  isWanted: (value: number) => boolean,
): number {
  const isDecimal = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d{1,3})?$/i.test(typed);
  const value = Number(typed);
  if (isDecimal && isWanted(value)) return value;
  throw invalid(`${label} needs ${wanted}, not ${quoteInput(typed)}.`);
}

function readJson(label: string, typed: string): unknown {
  try {
    return JSON.parse(typed);
  } catch {
    throw invalid(`${label} needs JSON, not ${quoteInput(typed)}.`, [
      `For example: ${label} '{"key":"value"}'`,
    ]);
  }
}
