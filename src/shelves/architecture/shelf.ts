import { defineShelf } from "../../kernel/shelf.ts";
import { noTables } from "../../kernel/storage/migrations.ts";
import { watchArchitecture } from "./change-watcher.ts";
import { architectureDocumentFamily } from "./knowledge/resources.ts";
import { agentOperations } from "./operations/agent-tools.ts";
import { checkAdrAlignment } from "./operations/alignment.ts";
import { authoringOperations } from "./operations/decision-changes.ts";
import { decisionViewOperations } from "./operations/decision-views.ts";
import { decisionOperations } from "./operations/decisions.ts";
import { documentOperations } from "./operations/documents.ts";
import { metrics } from "./operations/metrics.ts";
import { promptOperations } from "./operations/prompts.ts";
import { searchArchitecture } from "./operations/search.ts";
import { validateAgainstPattern } from "./operations/validation.ts";
import { architecturePrompts } from "./prompts/prompts.ts";
import { decisionSqlTables } from "./sql-tables.ts";
import { type ArchitectureState, openArchitecture } from "./state.ts";

const documentTools = [searchArchitecture, validateAgainstPattern, checkAdrAlignment];

export const architecture = defineShelf<ArchitectureState>({
  name: "architecture",
  dialect: "architecture",
  guide:
    "Guidelines, patterns and decisions of a project's architecture: start with `search-architecture`; `decisions` lists and shows decision records, `propose-decision` suggests a new one or a change.",
  tables: noTables,
  operations: [
    ...documentTools,
    ...decisionOperations,
    ...decisionViewOperations,
    ...authoringOperations,
    ...agentOperations,
    ...documentOperations,
    ...promptOperations,
    metrics,
  ],
  resources: [architectureDocumentFamily],
  prompts: architecturePrompts,
  open: (services) => openArchitecture(services, documentTools),
  watch: watchArchitecture,
  sqlTables: {
    tables: ["decisions"],
    open: async ({ records }) => decisionSqlTables(await records.read()),
  },
});
