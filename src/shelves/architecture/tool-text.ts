import type { AnyOperation } from "../../kernel/operation.ts";
import { wireSchema } from "../../kernel/wire-schema.ts";

interface Parameter {
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  default?: unknown;
}

/** What a prompt tells of a tool, so that whoever reads it can call it. */
export function toolText({ name, summary, input }: AnyOperation): string {
  const schema = wireSchema(input, "input");
  // A schema of an object has both; what they hold is read with every key optional.
  const properties = (schema.properties ?? {}) as Record<string, Parameter>;
  const required = new Set((schema.required ?? []) as string[]);
  const parameters = Object.entries(properties).map(([key, parameter]) => {
    const need = required.has(key) ? "required" : "optional";
    const { description } = parameter;
    const facts = [parameter.type ?? "string", need, ...boundsOf(parameter)].join(", ");
    return `- ${key} (${facts})${description === undefined ? "" : `: ${description}`}`;
  });
  return [`Tool: ${name}`, `Description: ${summary}`, "Parameters:", ...parameters].join("\n");
}

function boundsOf({ enum: choices, minimum, maximum, maxLength, ...rest }: Parameter): string[] {
  return [
    ...(choices ? [`one of ${choices.join(", ")}`] : []),
    ...(minimum !== undefined ? [`at least ${minimum}`] : []),
    ...(maximum !== undefined ? [`at most ${maximum}`] : []),
    ...(maxLength !== undefined ? [`at most ${maxLength} characters`] : []),
    ...(rest.default !== undefined ? [`${JSON.stringify(rest.default)} unless given`] : []),
  ];
}
