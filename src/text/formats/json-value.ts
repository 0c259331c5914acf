/** Parses JSON; undefined if invalid, which cannot be confused with a JSON value. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value if it is an object, otherwise an empty object. */
export const asJsonObject = (value: unknown): Record<string, unknown> =>
  isJsonObject(value) ? value : {};
