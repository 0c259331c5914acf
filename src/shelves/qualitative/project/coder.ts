import { type Call, isPerson } from "../../../kernel/call.ts";
import { foldText } from "../../../text/search/folded-text.ts";
import { toPrintable } from "../../../text/strings/printable.ts";

/** The owner of rows written by QualCoder's own assistant. */
const qualcoderAssistant = "AI Agent";

/** QualCoder's name for a coder without a name. */
export const unnamedCoder = "default";

/** The name of an agent in policies and logs. */
export const agentNameOf = ({ actor: { client = "", surface } }: Call): string =>
  toOneLine(client) || surface;

/** The coders known in a project. */
export interface KnownCoders {
  /** The current person, as the project stores it. */
  codername: string | null | undefined;
  /** Names of agents that have written. */
  agents: readonly string[];
  /** Everyone who owns a row or is listed. A function, since it is needed only for a new agent. */
  allNames(): readonly string[];
}

/** Used if no project is open. */
export const noKnownCoders: KnownCoders = { codername: null, agents: [], allNames: () => [] };

/** The owner of what a call writes: the project's current person, or the agent's own name. */
export function coderNameOf(call: Call, coders: KnownCoders): string {
  if (isPerson(call)) return coders.codername || unnamedCoder;
  const { surface, client = "" } = call.actor;
  return distinctAgentName(coders, surface === "mcp" ? client : qualcoderAssistant);
}

/** Adds a suffix to the name of a new agent if a person in the project has the same name. */
export function distinctAgentName(
  { codername, agents, allNames }: KnownCoders,
  givenName: string,
): string {
  const own = toOneLine(givenName) || qualcoderAssistant;
  const agentNames = agentNamesAmong(agents, codername);
  if (agentNames.has(own)) return own;
  const others = allNames().filter((name) => !agentNames.has(name));
  const people = new Set([codername ?? "", unnamedCoder, ...others].map(comparisonKey));
  let name = own;
  while (people.has(comparisonKey(name)) && !agentNames.has(name)) name = `${name} (agent)`;
  return name;
}

const maxNameLength = 100;

/** A client's name on one line, without control characters and of limited length. */
const toOneLine = (name: string): string =>
  [...toPrintable(name.toWellFormed()).replace(/\s+/g, " ")]
    .slice(0, maxNameLength)
    .join("")
    .trim();

const comparisonKey = (name: string): string => foldText(toOneLine(name));

/**
 * The names that are agents: those in `lectern_agents` and QualCoder's assistant, except the
 * project's current person.
 */
export function agentNamesAmong(
  listed: readonly string[],
  codername: string | null | undefined,
): ReadonlySet<string> {
  const names = new Set([qualcoderAssistant, ...listed]);
  names.delete(codername ?? "");
  return names;
}

/** Local time to the second, as QualCoder writes dates. */
export function qualcoderDate(now = new Date()): string {
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19).replace("T", " ");
}
