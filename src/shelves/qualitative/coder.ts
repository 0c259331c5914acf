import type { Call } from "../../kernel/call.ts";

/** The owner under which QualCoder's own assistant writes. */
const assistant = "AI Agent";

/** What QualCoder calls a coder who has given no name. */
export const unnamedCoder = "default";

/** In whose name a call writes: a person's as the project has it, an agent's as it calls itself. */
export function coderOf(call: Call, codername: string | null | undefined): string {
  const { surface, client } = call.actor;
  if (surface === "web" || surface === "cli") return codername || unnamedCoder;
  return (surface === "mcp" && client) || assistant;
}

/** A date as QualCoder writes it: local time, to the second. */
export function dateNow(now = new Date()): string {
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19).replace("T", " ");
}
