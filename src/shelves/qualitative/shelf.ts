import { defineShelf } from "../../kernel/shelf.ts";
import { noTables } from "../../kernel/tables.ts";
import { lentCodings } from "./lent.ts";
import { batchApplyCodes } from "./operations/batch.ts";
import { codeOperations } from "./operations/codes.ts";
import { folderOperations } from "./operations/folders.ts";
import { projectOperations } from "./operations/project.ts";
import { removeSource } from "./operations/removing.ts";
import { segmentOperations } from "./operations/segments.ts";
import { sourceOperations } from "./operations/sources.ts";
import { suggestionOperations } from "./operations/suggesting.ts";
import { uncodingOperations } from "./operations/uncoding.ts";
import { undoProjectChange } from "./operations/undoing.ts";
import { openQualitative, type QualitativeState } from "./state.ts";

export const qualitative = defineShelf<QualitativeState>({
  name: "qualitative",
  dialect: "qualcoder",
  guide:
    "Coding of interviews and other sources in QualCoder projects: begin with `get_project_context` and `open_project`; `batch_apply_codes` codes passages by quote or position.",
  tables: noTables,
  operations: [
    ...projectOperations,
    ...sourceOperations,
    removeSource,
    ...suggestionOperations,
    ...folderOperations,
    ...codeOperations,
    ...uncodingOperations,
    batchApplyCodes,
    ...segmentOperations,
    undoProjectChange,
  ],
  open: openQualitative,
  lends: { tables: ["codes", "segments"], now: ({ current }) => lentCodings(current) },
});
