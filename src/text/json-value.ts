/** What a text says as JSON; undefined where it is none, since JSON itself has no such value. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An object of JSON: it has members, and is no list. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The object that a value is, or one without members. */
export const objectIn = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});
