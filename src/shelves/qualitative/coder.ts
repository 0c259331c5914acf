import type { Call } from "../../kernel/call.ts";

/** The owner under which QualCoder's own assistant writes. */
const assistant = "AI Agent";

/** What QualCoder calls a coder who has given no name. */
export const unnamedCoder = "default";

/** Whether a person calls: at a shell, or on the page that carries the page's own credential. */
export const isPerson = ({ actor: { surface } }: Call): boolean =>
  surface === "web" || surface === "cli";

/** What whoever is no person calls itself, for policies and logs. */
export const agentOf = ({ actor: { client, surface } }: Call): string => client || surface;

/**
 * In whose name a call writes: a person's as the project has it, an agent's as it calls itself. An
 * agent that calls itself as the person does is told apart all the same.
 */
export function coderOf(call: Call, codername: string | null | undefined): string {
  const person = codername || unnamedCoder;
  if (isPerson(call)) return person;
  const { surface, client } = call.actor;
  const name = (surface === "mcp" && client) || assistant;
  return name === person ? `${name} (agent)` : name;
}

/** Agents are on a list of ours, save QualCoder's own; the project's own coder is a person. */
export function agentNames(
  listed: readonly string[],
  codername: string | null | undefined,
): ReadonlySet<string> {
  const names = new Set([assistant, ...listed]);
  names.delete(codername ?? "");
  return names;
}

/** A date as QualCoder writes it: local time, to the second. */
export function dateNow(now = new Date()): string {
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19).replace("T", " ");
}
