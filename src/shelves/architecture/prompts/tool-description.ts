import type { AnyOperation } from "../../../kernel/operation.ts";
import { toWireSchema } from "../../../kernel/operations/wire-schema.ts";

interface Parameter {
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  default?: unknown;
}

/** The description of a tool in a prompt, complete enough to call it. */
export function describeTool({ name, summary, input }: AnyOperation): string {
  const schema = toWireSchema(input, "input");
  // An object schema has both; the parameter keys are read as optional.
  const properties = (schema.properties ?? {}) as Record<string, Parameter>;
  const required = new Set((schema.required ?? []) as string[]);
  const parameters = Object.entries(properties).map(([key, parameter]) => {
    const need = required.has(key) ? "required" : "optional";
    const { description } = parameter;
    const facts = [parameter.type ?? "string", need, ...formatBounds(parameter)].join(", ");
    return `- ${key} (${facts})${description === undefined ? "" : `: ${description}`}`;
  });
  return [`Tool: ${name}`, `Description: ${summary}`, "Parameters:", ...parameters].join("\n");
}

function formatBounds({
  enum: choices,
  minimum,
  maximum,
  maxLength,
  ...rest
}: Parameter): string[] {
  return [
    ...(choices ? [`one of ${choices.join(", ")}`] : []),
    ...(minimum !== undefined ? [`at least ${minimum}`] : []),
    ...(maximum !== undefined ? [`at most ${maximum}`] : []),
    ...(maxLength !== undefined ? [`at most ${maxLength} characters`] : []),
    ...(rest.default !== undefined ? [`${JSON.stringify(rest.default)} unless given`] : []),
  ];
}
