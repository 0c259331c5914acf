import { type AnyShelf, defineShelf } from "./kernel/shelf.ts";
import { noTables, type Tables } from "./kernel/tables.ts";
import { homeTables } from "./shelves/qualitative/tables.ts";
import { repositoryTables } from "./shelves/repository/tables.ts";

/** Commands about documents: people type them most, and wait for each. */
const aboutDocuments: ReadonlySet<string> = new Set([
  // What only asks for the version needs no shelf at all.
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
  "index",
  "ls",
  "multi-get",
  "query",
  "search",
  "status",
  "update",
  "vector-search",
  "vsearch",
  "wiki-links",
]);

/**
 * The shelves that a command needs. To load them all takes longer than to search, so a command
 * about documents leaves the others at rest: with their names and tables, since tables are
 * everybody's, and without operations. Only the search shelf takes in changes of documents.
 */
export async function shelvesFor([command = ""]: readonly string[]): Promise<readonly AnyShelf[]> {
  if (!aboutDocuments.has(command)) return (await import("./shelves.ts")).shelves;
  const { search } = await import("./shelves/search/shelf.ts");
  return [
    search,
    atRest("objects"),
    atRest("architecture"),
    atRest("qualitative", homeTables),
    atRest("repository", repositoryTables),
    atRest("desk"),
  ];
}

const atRest = (name: string, tables: Tables = noTables): AnyShelf =>
  defineShelf({
    name,
    dialect: "qmd",
    guide: "",
    tables,
    operations: [],
    open() {
      throw new Error(`The shelf ${name} is at rest.`);
    },
  });
