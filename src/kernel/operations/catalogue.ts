import { similarNames } from "../../text/strings/similar-names.ts";
import { Failure } from "../failure.ts";
import type { AnyOperation } from "../operation.ts";
import type { AnyShelf } from "../shelf.ts";
import type { PromptSource } from "./prompt.ts";
import type { ResourceFamily } from "./resource.ts";

/** An operation and its shelf. */
export interface CatalogueEntry {
  readonly operation: AnyOperation;
  readonly shelf: AnyShelf;
}

/** All definitions of the shown shelves. Building it opens no shelf and no file. */
export interface Catalogue {
  readonly shelves: readonly AnyShelf[];
  readonly entries: readonly CatalogueEntry[];
  /** Operations disabled by `--read-only`; a surface can say so instead of "not found". */
  readonly withheld: readonly CatalogueEntry[];
  readonly resources: readonly { family: ResourceFamily<unknown>; shelf: AnyShelf }[];
  readonly prompts: readonly { source: PromptSource<unknown>; shelf: AnyShelf }[];
  find(name: string): CatalogueEntry | undefined;
}

export interface CatalogueFilter {
  /** Names of shelves; all shelves if absent. */
  only?: readonly string[] | undefined;
  readOnly?: boolean | undefined;
  /** Omit tools that the replaced program does not have. */
  isDropIn?: boolean | undefined;
}

/**
 * Combines the shelves that the filter selects. Throws if two operations share a name, a route or a
 * command.
 */
export function createCatalogue(all: readonly AnyShelf[], filter: CatalogueFilter = {}): Catalogue {
  const shelves = selectShelves(all, filter.only);
  const allEntries = shelves.flatMap((shelf) =>
    shelf.operations.map((operation) => ({
      operation: filter.isDropIn ? withoutExtension(operation) : operation,
      shelf,
    })),
  );
  const isEnabled = ({ operation }: CatalogueEntry) =>
    !filter.readOnly || operation.effect === "reads";
  const entries = allEntries.filter(isEnabled);
  assertUnique(entries, "name", (entry) => entry.operation.name);
  assertUnique(entries, "route", (entry) => routePattern(entry.operation.expose.http));
  assertUnique(entries, "command", (entry) => commandName(entry.operation.expose.cli));
  const byName = new Map(entries.map((entry) => [entry.operation.name, entry]));
  return {
    shelves,
    entries,
    withheld: allEntries.filter((entry) => !isEnabled(entry)),
    resources: shelves.flatMap((shelf) =>
      (shelf.resources ?? []).map((family) => ({ family, shelf })),
    ),
    prompts: shelves.flatMap((shelf) => (shelf.prompts ? [{ source: shelf.prompts, shelf }] : [])),
    find: (name) => byName.get(name),
  };
}

function withoutExtension(operation: AnyOperation): AnyOperation {
  if (!operation.expose.isExtension) return operation;
  const { mcp: _, ...expose } = operation.expose;
  return { ...operation, expose };
}

function selectShelves(all: readonly AnyShelf[], only: readonly string[] | undefined) {
  if (!only) return all;
  const names = all.map((shelf) => shelf.name);
  const isNamedBy = (name: string) => (shelf: AnyShelf) =>
    shelf.name === name || shelf.formerName === name;
  for (const name of only) {
    if (all.some(isNamedBy(name))) continue;
    const suggestion = similarNames(name, names)[0];
    throw new Failure("invalid", "invalid-argument", `Unknown shelf '${name}' in --shelves.`, {
      hints: [
        suggestion ? `Did you mean '${suggestion}'?` : "",
        `Shelves: ${names.join(", ")}.`,
      ].filter(Boolean),
    });
  }
  return all.filter((shelf) => shelf.isAlwaysShown || only.some((name) => isNamedBy(name)(shelf)));
}

function assertUnique(
  entries: readonly CatalogueEntry[],
  what: string,
  keyOf: (entry: CatalogueEntry) => string | undefined,
): void {
  const operationByKey = new Map<string, string>();
  for (const entry of entries) {
    const key = keyOf(entry);
    if (key === undefined) continue;
    const previous = operationByKey.get(key);
    if (previous)
      throw new Error(
        `Two operations with the same ${what}: ${previous} and ${entry.operation.name}`,
      );
    operationByKey.set(key, entry.operation.name);
  }
}

/** `"GET /notes/{id}"` and `"GET /notes/{name}"` match the same requests. */
const routePattern = (http: string | undefined): string | undefined =>
  http?.replace(/\{\w+(\+?)\}/g, "{$1}");

/** `"collection add <path>"` → `"collection add"`. */
export const commandName = (cli: string | undefined): string | undefined =>
  cli
    ?.split(" ")
    .filter((word) => !/^[<[]/.test(word))
    .join(" ");
