import * as z from "zod";
import { parsedJson } from "../../text/json-value.ts";
import { definitionOf, type Schema, unwrapped } from "./schema-shape.ts";

const decimal = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/** A key without a value, as in `?deep`, says yes. */
const truths = new Map([
  ["true", true],
  ["1", true],
  ["", true],
  ["false", false],
  ["0", false],
]);

/**
 * What the texts of a path or a query string mean to a schema: `?limit=5&tag=a&tag=b`.
 * A text that means nothing stays a text, so that the schema itself says what is wrong with it.
 */
export function fromTexts(schema: Schema, texts: readonly string[]): unknown {
  const definition = definitionOf(unwrapped(schema));
  if (definition.type === "array") {
    return texts.map((text) => fromTexts(definition.element, [text]));
  }
  if (definition.type === "union") {
    for (const option of definition.options) {
      const value = fromTexts(option, texts);
      if (z.safeParse(option, value).success) return value;
    }
  }
  const [text = ""] = texts;
  if (texts.length > 1) return texts;
  switch (definition.type) {
    case "number":
      return decimal.test(text) ? Number(text) : text;
    case "boolean":
      return truths.get(text) ?? text;
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
  const value = parsedJson(text);
  return value === undefined ? text : value;
}
