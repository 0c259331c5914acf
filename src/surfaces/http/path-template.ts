/** The path of a route: `/collections/{name}`, or `/contexts/{path+}` where the rest may hold slashes. */
export interface PathTemplate {
  readonly text: string;
  readonly parameters: readonly string[];
  /** The same for the router: `/collections/:name`, `/contexts/:path{[\s\S]+}`. */
  readonly pattern: string;
  /** The same for OpenAPI, which has no sign for a greedy parameter. */
  readonly openApi: string;
  fits(path: string): boolean;
}

const parameter = /\{(\w+)(\+?)\}/g;

export function parsePath(text: string): PathTemplate {
  const literal = text.replace(parameter, "").replaceAll("/", "");
  if (!/^[\w.-]*$/.test(literal)) throw new Error(`A route's path has an odd letter: ${text}`);
  const source = text
    .replaceAll(".", "\\.")
    .replace(parameter, (_whole, _name, greedy) => (greedy ? ".+" : "[^/]+"));
  const whole = new RegExp(`^${source}$`, "s");
  return {
    text,
    parameters: [...text.matchAll(parameter)].map(([, name]) => name ?? ""),
    pattern: text.replace(
      parameter,
      (_whole, name, greedy) => `:${name}${greedy ? "{[\\s\\S]+}" : ""}`,
    ),
    openApi: text.replace(parameter, "{$1}"),
    fits: (path) => whole.test(path),
  };
}

/** Two templates of one shape would fight for the same paths, whatever their parameters are called. */
export const shapeOfPath = ({ text }: PathTemplate): string => text.replace(parameter, "{$2}");
