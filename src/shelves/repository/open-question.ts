const mark = "**Question:**";

/** What is not known is asked, in a form that people and programs find again. */
export const question = (words: string): string => `> ${mark} ${words}`;

/** Whether a line asks its writers for what is missing, within its quotation or taken out of it. */
export const isQuestion = (line: string): boolean => line.replace(/^[\s>]*/, "").startsWith(mark);
