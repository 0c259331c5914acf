import { defineShelf } from "../../kernel/shelf.ts";
import { noTables } from "../../kernel/tables.ts";
import { announceChanges } from "./announcing.ts";
import { lentDecisions } from "./lent.ts";
import { agentOperations } from "./operations/agents.ts";
import { checkAdrAlignment } from "./operations/aligning.ts";
import { authoringOperations } from "./operations/authoring.ts";
import { decisionOperations } from "./operations/decisions.ts";
import { documentOperations } from "./operations/documents.ts";
import { metrics } from "./operations/metrics.ts";
import { pictureOperations } from "./operations/pictures.ts";
import { promptOperations } from "./operations/prompts.ts";
import { searchArchitecture } from "./operations/searching.ts";
import { validateAgainstPattern } from "./operations/validating.ts";
import { architecturePrompts } from "./prompts.ts";
import { documentFamily } from "./resources.ts";
import { type ArchitectureState, openArchitecture } from "./state.ts";

const documentTools = [searchArchitecture, validateAgainstPattern, checkAdrAlignment];

export const architecture = defineShelf<ArchitectureState>({
  name: "architecture",
  dialect: "architecture",
  guide:
    "Guidelines, patterns and decisions of a project's architecture: begin with `search-architecture`; `decisions` lists and shows decision records, `propose-decision` suggests a new one or a change.",
  tables: noTables,
  operations: [
    ...documentTools,
    ...decisionOperations,
    ...pictureOperations,
    ...authoringOperations,
    ...agentOperations,
    ...documentOperations,
    ...promptOperations,
    metrics,
  ],
  resources: [documentFamily],
  prompts: architecturePrompts,
  open: (house) => openArchitecture(house, documentTools),
  watch: announceChanges,
  lends: {
    tables: ["decisions"],
    now: async ({ records }) => lentDecisions(await records.now()),
  },
});
