import { nearest } from "../text/similar-names.ts";
import { Failure } from "./failure.ts";
import type { AnyOperation } from "./operation.ts";
import type { PromptSource } from "./prompt.ts";
import type { ResourceFamily } from "./resource.ts";
import type { AnyShelf } from "./shelf.ts";

/** An operation and the shelf that it stands on. */
export interface Entry {
  readonly operation: AnyOperation;
  readonly shelf: AnyShelf;
}

/** Every definition of the shelves in use, one list. It is static: nothing is opened to make it. */
export interface Catalogue {
  readonly shelves: readonly AnyShelf[];
  readonly entries: readonly Entry[];
  /** What `--read-only` leaves out; a surface may say so instead of "there is no such thing". */
  readonly withheld: readonly Entry[];
  readonly resources: readonly { family: ResourceFamily<unknown>; shelf: AnyShelf }[];
  readonly prompts: readonly { source: PromptSource<unknown>; shelf: AnyShelf }[];
  find(name: string): Entry | undefined;
}

export interface Narrowing {
  /** Names of shelves; all where absent. */
  only?: readonly string[] | undefined;
  readOnly?: boolean | undefined;
}

/** Joins the shelves, narrowed before any surface sees them. Refuses two of one name, route or command. */
export function makeCatalogue(all: readonly AnyShelf[], narrowing: Narrowing = {}): Catalogue {
  const shelves = chooseShelves(all, narrowing.only);
  const offered = shelves.flatMap((shelf) =>
    shelf.operations.map((operation) => ({ operation, shelf })),
  );
  const isShown = ({ operation }: Entry) => !narrowing.readOnly || operation.effect === "reads";
  const entries = offered.filter(isShown);
  refuseTwins(entries, "name", (entry) => entry.operation.name);
  refuseTwins(entries, "route", (entry) => routeShape(entry.operation.expose.http));
  refuseTwins(entries, "command", (entry) => commandWords(entry.operation.expose.cli));
  const byName = new Map(entries.map((entry) => [entry.operation.name, entry]));
  return {
    shelves,
    entries,
    withheld: offered.filter((entry) => !isShown(entry)),
    resources: shelves.flatMap((shelf) =>
      (shelf.resources ?? []).map((family) => ({ family, shelf })),
    ),
    prompts: shelves.flatMap((shelf) => (shelf.prompts ? [{ source: shelf.prompts, shelf }] : [])),
    find: (name) => byName.get(name),
  };
}

function chooseShelves(all: readonly AnyShelf[], only: readonly string[] | undefined) {
  if (!only) return all;
  const names = all.map((shelf) => shelf.name);
  for (const name of only) {
    if (names.includes(name)) continue;
    const guess = nearest(name, names)[0];
    throw new Failure("invalid", "invalid-argument", `Unknown shelf '${name}' in --shelves.`, {
      hints: [guess ? `Did you mean '${guess}'?` : "", `Shelves: ${names.join(", ")}.`].filter(
        Boolean,
      ),
    });
  }
  return all.filter((shelf) => shelf.always || only.includes(shelf.name));
}

function refuseTwins(
  entries: readonly Entry[],
  what: string,
  keyOf: (entry: Entry) => string | undefined,
): void {
  const seen = new Map<string, string>();
  for (const entry of entries) {
    const key = keyOf(entry);
    if (key === undefined) continue;
    const other = seen.get(key);
    if (other)
      throw new Error(`Two operations of one ${what}: ${other} and ${entry.operation.name}`);
    seen.set(key, entry.operation.name);
  }
}

/** `"GET /notes/{id}"` and `"GET /notes/{name}"` answer the same requests. */
const routeShape = (http: string | undefined): string | undefined =>
  http?.replace(/\{\w+(\+?)\}/g, "{$1}");

/** `"collection add <path>"` → `"collection add"`. */
export const commandWords = (cli: string | undefined): string | undefined =>
  cli
    ?.split(" ")
    .filter((word) => !/^[<[]/.test(word))
    .join(" ");
