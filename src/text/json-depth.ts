/** No honest request nests deeper, and code that recurses must never meet more. */
export const deepestRequest = 100;

/** Counts brackets outside of strings, before anything is built from them. */
export function nestsDeeper(json: string, deepest = deepestRequest): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < json.length; at++) {
    const letter = json[at];
    if (quoted) {
      if (letter === "\\") at++;
      else if (letter === '"') quoted = false;
    } else if (letter === '"') quoted = true;
    else if (letter === "[" || letter === "{") {
      if (++depth > deepest) return true;
    } else if (letter === "]" || letter === "}") depth--;
  }
  return false;
}
