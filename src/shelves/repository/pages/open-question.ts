const questionMarker = "**Question:**";

/** Formats a question so that people and programs can find it again. */
export const formatQuestion = (question: string): string => `> ${questionMarker} ${question}`;

/** Whether a line is such a question, inside its quotation or not. */
export const isOpenQuestion = (line: string): boolean =>
  line.replace(/^[\s>]*/, "").startsWith(questionMarker);
