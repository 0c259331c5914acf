import { defineShelf } from "../../kernel/shelf.ts";
import { forAgents } from "./face.ts";
import { governed } from "./governing.ts";
import { isolation } from "./isolation.ts";
import { lentCodings } from "./lent.ts";
import { attributeOperations } from "./operations/attributes.ts";
import { autocodingOperations } from "./operations/autocoding.ts";
import { batchApplyCodes } from "./operations/batch.ts";
import { caseOperations } from "./operations/cases.ts";
import { categoryOperations, createCategory, listCategories } from "./operations/categories.ts";
import { codebookOperations } from "./operations/codebook.ts";
import { coderOperations } from "./operations/coders.ts";
import { codeOperations } from "./operations/codes.ts";
import { findDuplicateCodes } from "./operations/duplicates.ts";
import { editingOperations } from "./operations/editing.ts";
import { exchangeOperations } from "./operations/exchange.ts";
import { folderOperations } from "./operations/folders.ts";
import { importFileSource } from "./operations/importing.ts";
import { inboxOperations } from "./operations/inbox.ts";
import { journalOperations } from "./operations/journals.ts";
import { privacyOperations } from "./operations/privacy.ts";
import { projectOperations } from "./operations/project.ts";
import { recodingOperations } from "./operations/recoding.ts";
import { removeSource } from "./operations/removing.ts";
import { reportOperations } from "./operations/reports.ts";
import { segmentOperations } from "./operations/segments.ts";
import { sourceOperations } from "./operations/sources.ts";
import { suggestionOperations } from "./operations/suggesting.ts";
import { uncodingOperations } from "./operations/uncoding.ts";
import { undoingOperations } from "./operations/undoing.ts";
import { openQualitative, type QualitativeState } from "./state.ts";
import { homeTables } from "./tables.ts";

export const qualitative = defineShelf<QualitativeState>({
  name: "qualitative",
  dialect: "qualcoder",
  guide:
    "Coding of interviews and other sources in QualCoder projects: begin with `get_project_context` and `open_project`; `batch_apply_codes` codes passages by quote or position. The answer `pending_approval` means that the researcher decides first; `rationale` and `confidence` (0 to 100) tell why.",
  tables: homeTables,
  operations: governed([
    ...projectOperations,
    ...sourceOperations,
    importFileSource,
    removeSource,
    ...suggestionOperations,
    ...folderOperations,
    ...codeOperations,
    listCategories,
    createCategory,
    ...uncodingOperations,
    batchApplyCodes,
    ...autocodingOperations,
    ...segmentOperations,
    ...recodingOperations,
    ...reportOperations,
    ...exchangeOperations,
    ...undoingOperations,
    ...privacyOperations,
    ...editingOperations,
    ...inboxOperations,
    ...caseOperations,
    ...attributeOperations,
    ...categoryOperations,
    ...codebookOperations,
    findDuplicateCodes,
    ...coderOperations,
    ...journalOperations,
  ]),
  open: openQualitative,
  isolation,
  lends: {
    tables: ["codes", "segments"],
    now: (state, asked) => lentCodings(state.facing(forAgents), asked),
  },
});
