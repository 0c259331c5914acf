import type { IForbiddenRuleType, IRegularForbiddenRuleType } from "dependency-cruiser";

const never = (
  name: string,
  from: IRegularForbiddenRuleType["from"],
  to: IRegularForbiddenRuleType["to"],
): IForbiddenRuleType => ({ name, severity: "error", from, to });

/** `text ← kernel ← shelves ← surfaces ← main`: a layer may import only the layers to its left. */
export const layerRules: IForbiddenRuleType[] = [
  never("text must not import other layers", { path: "^src/text/" }, { path: "^src/(?!text/)" }),
  never("text must not import Node modules", { path: "^src/text/" }, { dependencyTypes: ["core"] }),
  never(
    "the kernel may import only text",
    { path: "^src/kernel/" },
    { path: "^src/(?!text/|kernel/)" },
  ),
  never(
    "the kernel must not import protocol or web packages",
    { path: "^src/kernel/" },
    { path: "node_modules/(@modelcontextprotocol|hono|@hono)/" },
  ),
  never(
    "shelves must not import each other",
    { path: "^src/shelves/([^/]+)/" },
    { path: "^src/shelves/", pathNot: "^src/shelves/$1/" },
  ),
  never(
    "shelves must not import surfaces",
    { path: "^src/shelves/" },
    { path: "^src/(surfaces/|main\\.ts|shelves\\.ts)" },
  ),
  never(
    "other code imports a shelf only through shelf.ts",
    { pathNot: "^(src/shelves/|src/commands/|src/shelf-choice\\.ts|web/)" },
    { path: "^src/shelves/", pathNot: "^src/shelves/[^/]+/shelf\\.ts$" },
  ),
  never(
    "shelf-choice.ts imports only shelf.ts and tables.ts of a shelf",
    { path: "^src/shelf-choice\\.ts" },
    { path: "^src/shelves/", pathNot: "^src/shelves/[^/]+/(shelf|tables)\\.ts$" },
  ),
  never(
    "commands import a shelf only through cli-api.ts",
    { path: "^src/commands/" },
    { path: "^src/shelves/", pathNot: "^src/shelves/[^/]+/cli-api\\.ts$" },
  ),
  never(
    "surfaces must not import each other, only the files they share",
    { path: "^src/surfaces/([^/]+)/" },
    { path: "^src/surfaces/", pathNot: "^src/surfaces/($1/|[^/]+\\.ts$)" },
  ),
  never(
    "surfaces must not import shelves",
    { path: "^src/surfaces/" },
    { path: "^src/(shelves/|main\\.ts)" },
  ),
  never(
    "only database.ts imports the SQLite driver",
    { path: "^src/", pathNot: "^src/kernel/storage/database\\.ts$" },
    { path: "(^node:sqlite|node_modules/@photostructure/sqlite)" },
  ),
  never(
    "only surfaces/mcp imports the MCP SDK",
    { path: "^src/", pathNot: "^src/surfaces/mcp/" },
    { path: "node_modules/@modelcontextprotocol/" },
  ),
  never(
    "only surfaces/http imports the web framework",
    { path: "^src/", pathNot: "^src/surfaces/http/" },
    { path: "node_modules/(hono|@hono)/" },
  ),
  never(
    "the web app imports values only from text, and types from any layer",
    { path: "^web/" },
    { path: "^src/(?!text/)", dependencyTypesNot: ["type-only"] },
  ),
  never("no import cycles", {}, { circular: true }),
];
