import { Failure, invalid } from "../../kernel/failure.ts";

/** The largest request that is read, on every route. */
export const bodyLimit = 10 * 1024 * 1024;

/** No honest request nests deeper, and code that recurses must never meet more. */
const deepest = 100;

/** The JSON object that a request carries; an empty body is an empty object. */
export async function readJsonBody(request: Request): Promise<Record<string, unknown>> {
  const words = decode(await receive(request));
  if (words.trim() === "") return {};
  refuseDeep(words);
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

/** Counts brackets outside of strings, before anything is built from them. */
function refuseDeep(words: string): void {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < words.length; at++) {
    const letter = words[at];
    if (quoted) {
      if (letter === "\\") at++;
      else if (letter === '"') quoted = false;
    } else if (letter === '"') quoted = true;
    else if (letter === "[" || letter === "{") {
      if (++depth > deepest) throw invalid(`The body nests deeper than ${deepest} levels.`);
    } else if (letter === "]" || letter === "}") depth--;
  }
}
