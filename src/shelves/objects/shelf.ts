import { defineShelf } from "../../kernel/shelf.ts";
import { noTables } from "../../kernel/tables.ts";
import { announceChanges } from "./announcing.ts";
import { connectionOperations } from "./operations/connections.ts";
import { diagnosticOperations } from "./operations/diagnostics.ts";
import { dumpOperations } from "./operations/dumping.ts";
import { findingOperations } from "./operations/finding.ts";
import { guideOperations } from "./operations/guide.ts";
import { overviewOperations } from "./operations/overview.ts";
import { renameOperations } from "./operations/renaming.ts";
import { sqlOperations } from "./operations/sql.ts";
import { workspaceOperations } from "./operations/workspaces.ts";
import { objectResources } from "./resources.ts";
import { type ObjectsState, openObjects } from "./state.ts";

export const objects = defineShelf<ObjectsState>({
  name: "objects",
  dialect: "qmdc",
  guide:
    "Typed objects in *.qmd.md files. Begin with qmdc_describe_metamodel or qmdc_search_objects; every tool takes the path of the workspace. qmdc_get_guide explains the format.",
  tables: noTables,
  operations: [
    ...findingOperations,
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
  watch: announceChanges,
});
