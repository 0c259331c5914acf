/** The input of an operation as JSON. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonFields;
export type JsonFields = { readonly [key: string]: JsonValue };

/** Keys that bind a proposal to its subject, and are not editable. */
const bindings = ["confirm", "preview_token", "subject"];

/**
 * The editable input of a proposal. Proposals of a project wrap it in an object that names the
 * operation, the project and the actor, which is not editable.
 */
export function editableInputOf(input: Record<string, unknown>): JsonFields {
  const fields = isWrapped(input) ? input.input : input;
  const editable = Object.entries(fields).filter(([key]) => !bindings.includes(key));
  // Proposals are stored as JSON, so all values are JSON values.
  return Object.fromEntries(editable) as JsonFields;
}

export const withEditedInput = (
  input: Record<string, unknown>,
  edited: JsonFields,
): Record<string, unknown> =>
  isWrapped(input) ? { ...input, input: { ...input.input, ...edited } } : { ...input, ...edited };

const isWrapped = (
  input: Record<string, unknown>,
): input is { operation: string; input: Record<string, unknown> } =>
  typeof input.operation === "string" && typeof input.input === "object" && input.input !== null;
