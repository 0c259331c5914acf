/** The path of a route: `/collections/{name}`, or `/contexts/{path+}`, whose value may contain slashes. */
export interface PathTemplate {
  readonly text: string;
  readonly parameters: readonly string[];
  /** The same for the router: `/collections/:name`, `/contexts/:path{[\s\S]+}`. */
  readonly pattern: string;
  /** The same for OpenAPI, which has no syntax for a greedy parameter. */
  readonly openApi: string;
  matches(path: string): boolean;
}

const parameter = /\{(\w+)(\+?)\}/g;

export function parsePath(text: string): PathTemplate {
  const literal = text.replace(parameter, "").replaceAll("/", "");
  if (!/^[\w.-]*$/.test(literal))
    throw new Error(`Invalid character in the path of a route: ${text}`);
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
    matches: (path) => whole.test(path),
  };
}

/** The template without parameter names: two routes with the same shape match the same paths. */
export const shapeOfPath = ({ text }: PathTemplate): string => text.replace(parameter, "{$2}");
