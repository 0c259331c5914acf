import { defineShelf } from "../../kernel/shelf.ts";
import { noTables } from "../../kernel/storage/migrations.ts";
import { connectionOperations } from "./operations/connections.ts";
import { diagnosticOperations } from "./operations/diagnostics.ts";
import { dumpOperations } from "./operations/dump.ts";
import { guideOperations } from "./operations/guide.ts";
import { lookupOperations } from "./operations/lookup.ts";
import { overviewOperations } from "./operations/overview.ts";
import { renameOperations } from "./operations/rename.ts";
import { sqlOperations } from "./operations/sql.ts";
import { workspaceOperations } from "./operations/workspaces.ts";
import { objectResources } from "./resources/resource-families.ts";
import { watchObjectResources } from "./resources/resource-watcher.ts";
import { type ObjectsState, openObjects } from "./state.ts";

export const objects = defineShelf<ObjectsState>({
  name: "objects",
  dialect: "qmdc",
  guide:
    "Typed objects in *.qmd.md files. Start with qmdc_describe_metamodel or qmdc_search_objects. Every tool takes the path of the workspace. qmdc_get_guide explains the format.",
  tables: noTables,
  operations: [
    ...lookupOperations,
    ...overviewOperations,
    ...dumpOperations,
    ...guideOperations,
    ...connectionOperations,
    ...diagnosticOperations,
    ...sqlOperations,
    ...renameOperations,
    ...workspaceOperations,
  ],
  resources: objectResources,
  open: openObjects,
  watch: watchObjectResources,
});
