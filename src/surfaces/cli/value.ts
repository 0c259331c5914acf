import { invalid } from "../../kernel/failure.ts";
import { nearest } from "../../text/similar-names.ts";
import type { Flag } from "./flag.ts";

/** One typed word as the schema wants it; `label` is how the reader knows the place: `--limit`. */
export function convert(flag: Flag, label: string, typed: string): unknown {
  if (flag.choices.length > 0) return choose(flag, label, typed);
  switch (flag.takes) {
    case "number":
      return readNumber(label, typed, "a number", Number.isFinite);
    case "whole number":
      return readNumber(label, typed, "a whole number", Number.isSafeInteger);
    case "nothing":
      if (typed === "true" || typed === "false") return typed === "true";
      throw invalid(`${label} takes true or false, not ${quote(typed)}.`);
    case "json":
      return readJson(label, typed);
    case "text":
      return typed;
  }
}

/** The schema's other rules, told by the name that was typed instead of the wire's. */
export function checkValue(flag: Flag, label: string, value: unknown): void {
  const checked = flag.schema.safeParse(value);
  if (checked.success) return;
  const problems = checked.error.issues.map(({ path, message }) => {
    const place = path.length > 0 && flag.takes === "json" ? ` at ${path.join(".")}` : "";
    return `${label}${place}: ${message}`;
  });
  throw invalid(`${[...new Set(problems)].join("; ")}.`);
}

/** What somebody typed, inside a message: in quotes, on one line, and not for ever. */
export function quote(typed: string): string {
  const letters = [...typed.replace(/\s/g, " ")];
  return `'${letters.length > longest ? `${letters.slice(0, longest).join("")}…` : letters.join("")}'`;
}

const longest = 60;

function choose(flag: Flag, label: string, typed: string): string {
  const meant = flag.choices.find((choice) => choice.toLowerCase() === typed.toLowerCase());
  if (meant !== undefined) return meant;
  const [guess] = nearest(typed, flag.choices, 1);
  throw invalid(`${label} is one of ${flag.choices.join(", ")}, not ${quote(typed)}.`, [
    ...(guess ? [`Did you mean ${guess}?`] : []),
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
  throw invalid(`${label} needs ${wanted}, not ${quote(typed)}.`);
}

function readJson(label: string, typed: string): unknown {
  try {
    return JSON.parse(typed);
  } catch {
    throw invalid(`${label} needs JSON, not ${quote(typed)}.`, [
      `For example: ${label} '{"key":"value"}'`,
    ]);
  }
}
