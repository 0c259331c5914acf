import { Failure, invalid } from "../../../kernel/failure.ts";
import { requestProblem } from "../../../text/formats/json-limits.ts";

/** The maximum size of a request body, on every route. */
export const maxBodyBytes = 10 * 1024 * 1024;

/** The JSON object in a request body; an empty body is an empty object. */
export async function readJsonBody(request: Request): Promise<Record<string, unknown>> {
  const text = decode(await readBytes(request));
  if (text.trim() === "") return {};
  const problem = requestProblem(text);
  if (problem !== undefined) throw invalid(`The body ${problem}.`);
  const value = parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalid("The body must be a JSON object, such as {}.");
  }
  return { ...value };
}

async function readBytes(request: Request): Promise<ArrayBuffer> {
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw invalid(`The body is not valid JSON: ${reason}`);
  }
}
