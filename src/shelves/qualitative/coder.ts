import { type Call, isPerson } from "../../kernel/call.ts";
import { fold } from "../../text/folding.ts";
import { visible } from "../../text/visible.ts";

/** The owner under which QualCoder's own assistant writes. */
const assistant = "AI Agent";

/** What QualCoder calls a coder who has given no name. */
export const unnamedCoder = "default";

/** What whoever is no person calls itself, for policies and logs. */
export const agentOf = ({ actor: { client = "", surface } }: Call): string =>
  inOneLine(client) || surface;

/** Who is known in a project. */
export interface KnownCoders {
  /** The person who codes now. */
  codername: string | null | undefined;
  /** The names under which agents have written. */
  agents: readonly string[];
  /** Everybody who has written something or is listed; it is asked where an agent is new. */
  everybody(): readonly string[];
}

/** Before there is a project. */
export const nobodyYet: KnownCoders = { codername: null, agents: [], everybody: () => [] };

/** In whose name a call writes: a person's as the project has it, an agent's as it calls itself. */
export function coderOf(call: Call, known: KnownCoders): string {
  if (isPerson(call)) return known.codername || unnamedCoder;
  const { surface, client = "" } = call.actor;
  return agentAmong(known, surface === "mcp" ? client : assistant);
}

/** An agent that is new in a project and calls itself as a person there is told apart all the same. */
export function agentAmong({ codername, agents, everybody }: KnownCoders, given: string): string {
  const own = inOneLine(given) || assistant;
  const known = agentNames(agents, codername);
  if (known.has(own)) return own;
  const others = everybody().filter((name) => !known.has(name));
  const people = new Set([codername ?? "", unnamedCoder, ...others].map(asCompared));
  let name = own;
  while (people.has(asCompared(name)) && !known.has(name)) name = `${name} (agent)`;
  return name;
}

const longestName = 100;

/** A name as somebody else has given it, fit for a list. */
const inOneLine = (given: string): string =>
  [...visible(given.toWellFormed()).replace(/\s+/g, " ")].slice(0, longestName).join("").trim();

const asCompared = (name: string): string => fold(inOneLine(name));

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
