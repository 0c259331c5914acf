import * as z from "zod";
import { isJsonObject } from "../../text/formats/json-value.ts";

/**
 * An object with arbitrary keys. It is passed through unparsed, because z.record would drop a key
 * named `__proto__`.
 */
export const AnyRecord = z
  .custom<Record<string, unknown>>(isJsonObject)
  .meta({ type: "object", propertyNames: { type: "string" } });
