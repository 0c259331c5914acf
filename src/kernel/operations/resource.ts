import { elementAt } from "../../text/arrays/element-at.ts";
import type { Call } from "../call.ts";
import type { ResourceContent } from "./output-block.ts";

/** Resources with a common URI template and reader. */
export interface ResourceFamily<State> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  /**
   * A fixed URI, or a template such as `qmd://{+path}`. The text before `{` is unique to the
   * family.
   */
  readonly uri: string;
  /** The URI used in change notices, for a resource that has several URIs. */
  canonical?(uri: string, state: State): string | undefined | Promise<string | undefined>;
  /**
   * The entries of `resources/list` in a stable order. Resources of families without it are found
   * by searching.
   */
  list?(state: State): ResourceEntry[] | Promise<ResourceEntry[]>;
  /**
   * Reads the resource. The URI is as the client sent it: remove the scheme, decode once, and check
   * the path with the boundary.
   */
  read(uri: string, state: State, call: Call): ResourceContent[] | Promise<ResourceContent[]>;
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
  /** Additional fields that a specification prescribes and MCP does not define. */
  meta?: Record<string, string>;
}

/** The value completes the argument; label and description are for display. */
export interface Completion {
  value: string;
  label?: string;
  description?: string;
}

export const isUriTemplate = (family: { uri: string }): boolean => family.uri.includes("{");

/** The common prefix of a family's URIs. */
const uriPrefix = (family: { uri: string }): string => elementAt(family.uri.split("{"), 0);

export function matchFamily<Family extends { uri: string }>(
  families: readonly Family[],
  uri: string,
): Family | undefined {
  return families.find((family) =>
    isUriTemplate(family) ? uri.startsWith(uriPrefix(family)) : uri === family.uri,
  );
}
