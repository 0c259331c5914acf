import * as z from "zod";
import { isObject } from "../../text/json-value.ts";

/**
 * An object with keys of somebody else's choice. It is handed on as it is: a record that is parsed
 * key by key loses the one called `__proto__`.
 */
export const FreeRecord = z
  .custom<Record<string, unknown>>(isObject)
  .meta({ type: "object", propertyNames: { type: "string" } });
