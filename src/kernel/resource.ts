import type { Content } from "./block.ts";
import type { Call } from "./call.ts";

/** Resources that share a URI template and a way to read them. */
export interface ResourceFamily<State> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  /** A fixed URI, or a template such as `qmd://{+path}`. The part before `{` belongs to the family. */
  readonly uri: string;
  /** The one URI under which changes are told, of several by which a resource may be read. */
  canonical?(uri: string, state: State): string | undefined | Promise<string | undefined>;
  /** What `resources/list` shows, in a stable order. Families without it are found by searching. */
  list?(state: State): ResourceEntry[] | Promise<ResourceEntry[]>;
  /** Gets the URI as it was sent: cut the scheme, decode once, then trust only the boundary. */
  read(uri: string, state: State, call: Call): Content[] | Promise<Content[]>;
  complete?(
    variable: string,
    typed: string,
    state: State,
    given: Readonly<Record<string, string>>,
  ): Completion[] | Promise<Completion[]>;
}

export interface ResourceEntry {
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  size?: number;
  lastModified?: string;
  /** What a founding document tells beside, and the protocol has no words for. */
  meta?: Record<string, string>;
}

/** A completion is its value; label and description travel beside it where a client wants them. */
export interface Completion {
  value: string;
  label?: string;
  description?: string;
}

export const isTemplate = (family: { uri: string }): boolean => family.uri.includes("{");

/** The part of a family's URIs that is the same for all. */
const prefixOf = (family: { uri: string }): string => family.uri.split("{")[0] ?? "";

export function familyOf<Family extends { uri: string }>(
  families: readonly Family[],
  uri: string,
): Family | undefined {
  return families.find((family) =>
    isTemplate(family) ? uri.startsWith(prefixOf(family)) : uri === family.uri,
  );
}
