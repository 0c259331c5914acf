interface JsonLimits {
  depth: number;
  /** The number of names in all objects together. */
  names: number;
}

/**
 * The limits of a request. The depth protects recursive code from stack overflows. Many different
 * names are slow to parse: 700,000 of them, in 8 MB, take several seconds.
 */
const requestLimits: JsonLimits = { depth: 100, names: 50_000 };

/** What is wrong with the JSON of a request, as the end of a sentence. Found before it is parsed. */
export function requestProblem(json: string): string | undefined {
  const exceeded = findExceeded(json, requestLimits);
  if (exceeded === undefined) return undefined;
  return exceeded === "depth"
    ? `nests deeper than ${requestLimits.depth} levels`
    : `has more than ${requestLimits.names.toLocaleString("en")} names`;
}

export const exceedsDepth = (json: string, depth: number): boolean =>
  findExceeded(json, { depth, names: Number.POSITIVE_INFINITY }) !== undefined;

/** The first limit that is exceeded, by counting brackets and colons outside strings. */
function findExceeded(json: string, limits: JsonLimits): keyof JsonLimits | undefined {
  let depth = 0;
  let names = 0;
  let isInString = false;
  for (let at = 0; at < json.length; at++) {
    const char = json[at];
    if (isInString) {
      if (char === "\\") at++;
      else if (char === '"') isInString = false;
    } else if (char === '"') isInString = true;
    else if (char === "[" || char === "{") {
      if (++depth > limits.depth) return "depth";
    } else if (char === "]" || char === "}") depth--;
    else if (char === ":" && ++names > limits.names) return "names";
  }
  return undefined;
}
