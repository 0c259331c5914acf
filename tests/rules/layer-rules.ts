import type { IForbiddenRuleType, IRegularForbiddenRuleType } from "dependency-cruiser";

const never = (
  name: string,
  from: IRegularForbiddenRuleType["from"],
  to: IRegularForbiddenRuleType["to"],
): IForbiddenRuleType => ({ name, severity: "error", from, to });

/** `text ← kernel ← shelves ← surfaces ← main`: imports follow the arrows in one direction only. */
export const layerRules: IForbiddenRuleType[] = [
  never("text imports nothing of ours", { path: "^src/text/" }, { path: "^src/(?!text/)" }),
  never("text has no Node I/O", { path: "^src/text/" }, { dependencyTypes: ["core"] }),
  never("kernel knows only text", { path: "^src/kernel/" }, { path: "^src/(?!text/|kernel/)" }),
  never(
    "kernel knows no protocol",
    { path: "^src/kernel/" },
    { path: "node_modules/(@modelcontextprotocol|hono|@hono)/" },
  ),
  never(
    "shelves never touch",
    { path: "^src/shelves/([^/]+)/" },
    { path: "^src/shelves/", pathNot: "^src/shelves/$1/" },
  ),
  never(
    "a shelf knows no surface",
    { path: "^src/shelves/" },
    { path: "^src/(surfaces/|main\\.ts|shelves\\.ts)" },
  ),
  never(
    "a shelf's door is shelf.ts",
    { pathNot: "^(src/shelves/|src/commands/|src/shelf-choice\\.ts|web/)" },
    { path: "^src/shelves/", pathNot: "^src/shelves/[^/]+/shelf\\.ts$" },
  ),
  never(
    "a shelf at rest shows its tables",
    { path: "^src/shelf-choice\\.ts" },
    { path: "^src/shelves/", pathNot: "^src/shelves/[^/]+/(shelf|tables)\\.ts$" },
  ),
  never(
    "a command uses a shelf through cli-api.ts",
    { path: "^src/commands/" },
    { path: "^src/shelves/", pathNot: "^src/shelves/[^/]+/cli-api\\.ts$" },
  ),
  never(
    "a surface imports no other surface, only the files that all share",
    { path: "^src/surfaces/([^/]+)/" },
    { path: "^src/surfaces/", pathNot: "^src/surfaces/($1/|[^/]+\\.ts$)" },
  ),
  never(
    "a surface knows the list of shelves, not their inside",
    { path: "^src/surfaces/" },
    { path: "^src/(shelves/|main\\.ts)" },
  ),
  never(
    "only the database opens SQLite",
    { path: "^src/", pathNot: "^src/kernel/storage/database\\.ts$" },
    { path: "(^node:sqlite|node_modules/@photostructure/sqlite)" },
  ),
  never(
    "only surfaces/mcp knows the protocol's SDK",
    { path: "^src/", pathNot: "^src/surfaces/mcp/" },
    { path: "node_modules/@modelcontextprotocol/" },
  ),
  never(
    "only surfaces/http knows the web server",
    { path: "^src/", pathNot: "^src/surfaces/http/" },
    { path: "node_modules/(hono|@hono)/" },
  ),
  never(
    "the page takes values from text, and only types from elsewhere",
    { path: "^web/" },
    { path: "^src/(?!text/)", dependencyTypesNot: ["type-only"] },
  ),
  never("no cycles", {}, { circular: true }),
];
