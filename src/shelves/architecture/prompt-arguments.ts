import { type Failure, invalid } from "../../kernel/failure.ts";
import { visible } from "../../text/visible.ts";
import type { PromptTemplate } from "./prompt-file.ts";

/** The values by the prompt's own names; a failure where one is missing, unknown or too long. */
export function admittedValues(
  { arguments: known }: PromptTemplate,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  // A prompt may call an argument as it likes, `constructor` too.
  const values: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(given)) {
    const argument = known.find((one) => one.name === name || one.aliases.includes(name));
    if (!argument) {
      const names = known.map((one) => one.name).join(", ") || "none";
      throw refused(`unknown argument: ${visible(name).slice(0, 200)}`, `Known: ${names}.`);
    }
    // The prompt's own name decides where both were given.
    if (argument.name === name || given[argument.name] === undefined) values[argument.name] = value;
  }
  for (const { name, required, maxLength } of known) {
    const value = values[name] ?? "";
    if (required && value.trim() === "") throw refused(`required argument missing: ${name}`);
    if (value.length > maxLength && [...value].length > maxLength) {
      throw refused(`argument '${name}': value exceeds maximum length of ${maxLength} characters`);
    }
  }
  return values;
}

const refused = (reason: string, ...hints: string[]): Failure =>
  invalid(`argument validation failed: ${reason}`, hints);
