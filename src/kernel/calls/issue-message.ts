import type * as z from "zod";

/**
 * Describes an invalid value in our own wording: `must be at least 1` instead of
 * `Too small: expected number to be >=1`. A schema's own message is kept.
 */
export function issueMessage(issue: z.core.$ZodIssue): string {
  const isDefault = /^Too (small|big): /.test(issue.message);
  if (isDefault && issue.code === "too_small") {
    const { origin, minimum, inclusive } = issue;
    return boundMessage(origin, Number(minimum), inclusive === false ? "more than" : "at least");
  }
  if (isDefault && issue.code === "too_big") {
    const { origin, maximum, inclusive } = issue;
    return boundMessage(origin, Number(maximum), inclusive === false ? "less than" : "at most");
  }
  return issue.message.replace(/^Invalid (input|option|string): /, "");
}

function boundMessage(origin: string, bound: number, relation: string): string {
  const unit = { string: "character", array: "item" }[origin];
  if (unit === undefined) return `must be ${relation} ${bound}`;
  if (relation === "at least" && bound === 1) return "must not be empty";
  return `must have ${relation} ${bound} ${unit}${bound === 1 ? "" : "s"}`;
}
