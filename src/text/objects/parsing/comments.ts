import { createFields } from "../values/value.ts";
import type { ObjectDraft } from "./object-draft.ts";

/**
 * Adds a block that is not a field to the comments. A paragraph starts a new comment, which
 * following lists, tables and fences join. After a rule or a quote, everything up to the next field
 * joins.
 */
export function addComment(draft: ObjectDraft, content: string, isParagraph: boolean): void {
  if (content === "") return;
  if (isParagraph && draft.pending?.beginsWithParagraph) endComment(draft);
  draft.pending ??= { after: draft.lastField, parts: [], beginsWithParagraph: isParagraph };
  draft.pending.parts.push(content);
}

/** Ends the current comment. */
export function endComment(draft: ObjectDraft): void {
  if (!draft.pending) return;
  const { after, parts } = draft.pending;
  draft.pending = undefined;
  draft.comments.push(
    createFields([
      ["after", after],
      ["content", parts.join("\n\n")],
    ]),
  );
}

/** Adds a comment that is not merged with its neighbours. */
export function addSeparateComment(draft: ObjectDraft, content: string): void {
  endComment(draft);
  addComment(draft, content, false);
  endComment(draft);
}
