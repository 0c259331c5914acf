import type { Draft } from "./draft.ts";
import { fieldsOf } from "./value.ts";

/**
 * Adds a block of Markdown that is no field. A paragraph begins a comment of its own, which lists,
 * tables and fences behind it join; after a rule or a quote everything joins, up to the next field.
 */
export function addComment(draft: Draft, content: string, isParagraph: boolean): void {
  if (content === "") return;
  if (isParagraph && draft.pending?.beginsWithParagraph) endComment(draft);
  draft.pending ??= { after: draft.lastField, parts: [], beginsWithParagraph: isParagraph };
  draft.pending.parts.push(content);
}

/** What comes next is not part of the comment that was begun. */
export function endComment(draft: Draft): void {
  if (!draft.pending) return;
  const { after, parts } = draft.pending;
  draft.pending = undefined;
  draft.comments.push(
    fieldsOf([
      ["after", after],
      ["content", parts.join("\n\n")],
    ]),
  );
}

/** A comment that shares nothing with what stands around it. */
export function addWholeComment(draft: Draft, content: string): void {
  endComment(draft);
  addComment(draft, content, false);
  endComment(draft);
}
