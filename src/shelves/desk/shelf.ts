import { defineShelf } from "../../kernel/shelf.ts";
import { noTables } from "../../kernel/tables.ts";
import { listActivity, undoChange } from "./operations/activity.ts";
import {
  acceptProposal,
  listProposals,
  rejectProposal,
  reopenProposal,
} from "./operations/proposals.ts";
import { type Desk, openDesk } from "./state.ts";

export const desk = defineShelf<Desk>({
  name: "desk",
  dialect: "qmd",
  always: true,
  guide: "What waits for a person's decision, and what was changed. People use it; agents do not.",
  tables: noTables,
  operations: [
    listProposals,
    acceptProposal,
    rejectProposal,
    reopenProposal,
    listActivity,
    undoChange,
  ],
  open: openDesk,
});
