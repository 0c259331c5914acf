/** What operations take, as JSON has it. */
export type Value = string | number | boolean | null | Value[] | Fields;
export type Fields = { readonly [key: string]: Value };

/** What binds a proposal to what it was about is no matter of editing. */
const bindings = ["confirm", "preview_token", "subject"];

/**
 * What a person edits of a proposal. One of a project says around it where and in whose name it is
 * done; that is left alone.
 */
export function editableIn(input: Record<string, unknown>): Fields {
  const done = isWrapped(input) ? input.input : input;
  const shown = Object.entries(done).filter(([key]) => !bindings.includes(key));
  // Proposals are stored as JSON, so nothing else is in them.
  return Object.fromEntries(shown) as Fields;
}

export const withEdited = (
  input: Record<string, unknown>,
  edited: Fields,
): Record<string, unknown> =>
  isWrapped(input) ? { ...input, input: { ...input.input, ...edited } } : { ...input, ...edited };

const isWrapped = (
  input: Record<string, unknown>,
): input is { operation: string; input: Record<string, unknown> } =>
  typeof input.operation === "string" && typeof input.input === "object" && input.input !== null;
