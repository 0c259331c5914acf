import { defineShelf } from "../../kernel/shelf.ts";
import { noTables } from "../../kernel/storage/migrations.ts";
import { listActivity, undoRecordedChange } from "./operations/activity.ts";
import {
  acceptProposal,
  listProposals,
  rejectProposal,
  reopenProposal,
} from "./operations/proposals.ts";
import { openReview, type ReviewState } from "./state.ts";

export const review = defineShelf<ReviewState>({
  name: "review",
  formerName: "desk",
  dialect: "qmd",
  isAlwaysShown: true,
  guide: "Proposals for a person to decide, and the changes made. For people, not for agents.",
  tables: noTables,
  operations: [
    listProposals,
    acceptProposal,
    rejectProposal,
    reopenProposal,
    listActivity,
    undoRecordedChange,
  ],
  open: openReview,
});
