import { Failure, invalid } from "../../kernel/failure.ts";
import { deepestRequest, nestsDeeper } from "../../text/json-depth.ts";

/** The largest request that is read, on every route. */
export const bodyLimit = 10 * 1024 * 1024;

/** The JSON object that a request carries; an empty body is an empty object. */
export async function readJsonBody(request: Request): Promise<Record<string, unknown>> {
  const words = decode(await receive(request));
  if (words.trim() === "") return {};
  if (nestsDeeper(words)) throw invalid(`The body nests deeper than ${deepestRequest} levels.`);
  const value = parse(words);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalid("The body must be a JSON object, such as {}.");
  }
  return { ...value };
}

async function receive(request: Request): Promise<ArrayBuffer> {
  try {
    return await request.arrayBuffer();
  } catch (error) {
    throw new Failure("invalid", "invalid-argument", "The body ended early.", { cause: error });
  }
}

function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw invalid("The body is not UTF-8.");
  }
}

function parse(words: string): unknown {
  try {
    return JSON.parse(words);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw invalid(`The body is not valid JSON: ${reason}`);
  }
}
