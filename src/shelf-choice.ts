import { type AnyShelf, defineShelf } from "./kernel/shelf.ts";
import { noTables, type Tables } from "./kernel/storage/migrations.ts";
import { homeTables } from "./shelves/qualitative/tables.ts";
import { repositoryTables } from "./shelves/repository/tables.ts";

/** Commands that need only the search shelf. They are used most often, so they must start fast. */
const searchOnlyCommands: ReadonlySet<string> = new Set([
  // Needs no shelf at all.
  "--version",
  "backlinks",
  "cleanup",
  "collection",
  "context",
  "deep-search",
  "embed",
  "facets",
  "find",
  "get",
  "grep",
  "index",
  "list",
  "ls",
  "multi-get",
  "note",
  "query",
  "search",
  "status",
  "update",
  "vector-search",
  "vsearch",
  "wiki-links",
]);

/**
 * Loads the shelves that a command needs. Loading all of them takes longer than a search, so for a
 * command in `searchOnlyCommands` the others are placeholders with a name and tables but no
 * operations. This is safe because only the search shelf handles document changes.
 */
export async function loadShelvesFor([command = ""]: readonly string[]): Promise<
  readonly AnyShelf[]
> {
  if (!searchOnlyCommands.has(command)) return (await import("./shelves.ts")).shelves;
  const { search } = await import("./shelves/search/shelf.ts");
  return [
    search,
    placeholderShelf("objects"),
    placeholderShelf("architecture"),
    placeholderShelf("qualitative", homeTables),
    placeholderShelf("repository", repositoryTables),
    placeholderShelf("review"),
  ];
}

const placeholderShelf = (name: string, tables: Tables = noTables): AnyShelf =>
  defineShelf({
    name,
    dialect: "qmd",
    guide: "",
    tables,
    operations: [],
    open() {
      throw new Error(`The shelf ${name} is not loaded.`);
    },
  });
