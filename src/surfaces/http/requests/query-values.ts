import * as z from "zod";
import { tryParseJson } from "../../../text/formats/json-value.ts";
import { innermostSchema, type ZodSchema, zodDefinition } from "../../schema-layers.ts";

const decimal = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/** A key without a value, as in `?deep`, means true. */
const booleanWords = new Map([
  ["true", true],
  ["1", true],
  ["", true],
  ["false", false],
  ["0", false],
]);

/**
 * Converts strings of a path or query to the type of a schema: `?limit=5&tag=a&tag=b`.
 * A string that cannot be converted is returned as is, so that schema validation reports it.
 */
export function valueFromStrings(schema: ZodSchema, texts: readonly string[]): unknown {
  const definition = zodDefinition(innermostSchema(schema));
  if (definition.type === "array") {
    return texts.map((text) => valueFromStrings(definition.element, [text]));
  }
  if (definition.type === "union") {
    for (const option of definition.options) {
      const value = valueFromStrings(option, texts);
      if (z.safeParse(option, value).success) return value;
    }
  }
  const [text = ""] = texts;
  if (texts.length > 1) return texts;
  switch (definition.type) {
    case "number":
      return decimal.test(text) ? Number(text) : text;
    case "boolean":
      return booleanWords.get(text) ?? text;
    case "literal":
      return definition.values.find((value) => String(value) === text) ?? text;
    case "object":
    case "record":
      return jsonOrText(text);
    default:
      return text;
  }
}

function jsonOrText(text: string): unknown {
  const value = tryParseJson(text);
  return value === undefined ? text : value;
}
