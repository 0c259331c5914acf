import { defineShelf } from "../../kernel/shelf.ts";
import { enforcePolicy } from "./governance/policy-enforcement.ts";
import { isolation } from "./isolation.ts";
import {
  categoryOperations,
  createCategory,
  listCategories,
} from "./operations/codebook/categories.ts";
import { codeOperations } from "./operations/codebook/codes.ts";
import { deleteAndMergeOperations } from "./operations/codebook/delete-and-merge.ts";
import { findDuplicateCodes } from "./operations/codebook/duplicates.ts";
import { nestAndSplitOperations } from "./operations/codebook/nest-and-split.ts";
import { autocodingOperations } from "./operations/coding/autocoding.ts";
import { batchApplyCodes } from "./operations/coding/batch.ts";
import { codingChangeOperations } from "./operations/coding/coding-changes.ts";
import { inboxOperations } from "./operations/coding/inbox.ts";
import { segmentOperations } from "./operations/coding/segments.ts";
import { privacyOperations } from "./operations/governance/privacy.ts";
import { attributeOperations } from "./operations/project/attributes.ts";
import { caseOperations } from "./operations/project/cases.ts";
import { coderOperations } from "./operations/project/coders.ts";
import { exchangeOperations } from "./operations/project/exchange.ts";
import { journalOperations } from "./operations/project/journals.ts";
import { projectOperations } from "./operations/project/project.ts";
import { reportOperations } from "./operations/project/reports.ts";
import { undoOperations } from "./operations/project/undo.ts";
import { importFileSource } from "./operations/sources/file-import.ts";
import { folderOperations } from "./operations/sources/folders.ts";
import { suggestionOperations } from "./operations/sources/metadata-suggestions.ts";
import { removeSource } from "./operations/sources/removal.ts";
import { sourceOperations } from "./operations/sources/sources.ts";
import { textEditOperations } from "./operations/sources/text-edits.ts";
import { agentView } from "./project/project-view.ts";
import { sqlTablesOfCodings } from "./sql-tables.ts";
import { openQualitative, type QualitativeState } from "./state.ts";
import { homeTables } from "./tables.ts";

export const qualitative = defineShelf<QualitativeState>({
  name: "qualitative",
  dialect: "qualcoder",
  guide:
    "Coding of interviews and other sources in QualCoder projects: start with `get_project_context` and `open_project`; `batch_apply_codes` codes passages by quote or position. The answer `pending_approval` means that the researcher decides first; `rationale` and `confidence` (0 to 100) give the reason.",
  tables: homeTables,
  operations: enforcePolicy([
    ...projectOperations,
    ...sourceOperations,
    importFileSource,
    removeSource,
    ...suggestionOperations,
    ...folderOperations,
    ...codeOperations,
    listCategories,
    createCategory,
    ...deleteAndMergeOperations,
    batchApplyCodes,
    ...autocodingOperations,
    ...segmentOperations,
    ...codingChangeOperations,
    ...reportOperations,
    ...exchangeOperations,
    ...undoOperations,
    ...privacyOperations,
    ...textEditOperations,
    ...inboxOperations,
    ...caseOperations,
    ...attributeOperations,
    ...categoryOperations,
    ...nestAndSplitOperations,
    findDuplicateCodes,
    ...coderOperations,
    ...journalOperations,
  ]),
  open: openQualitative,
  isolation,
  sqlTables: {
    tables: ["codes", "segments"],
    open: (state, request) => sqlTablesOfCodings(state.withView(agentView), request),
  },
});
