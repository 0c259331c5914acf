import { computed } from "@preact/signals";
import { elementAt } from "../../src/text/arrays/element-at.ts";
import { codebook, openedSource } from "./project-state.ts";

/** A person or agent with codings in the text, their lane in the margin and their line pattern. */
export interface Coder {
  name: string;
  isAgent: boolean;
  isYou: boolean;
  lane: number;
  pattern: Pattern;
}

/** The dash of a line: stroke and gap in pixels. A gap of zero gives a solid line. */
export interface Pattern {
  stroke: number;
  gap: number;
}

/** People have long dashes, agents short ones. The dashes distinguish coders without colour. */
const patterns = {
  people: [
    { stroke: 1, gap: 0 },
    { stroke: 18, gap: 3 },
    { stroke: 11, gap: 5 },
  ],
  agents: [
    { stroke: 5, gap: 3 },
    { stroke: 2, gap: 3 },
    { stroke: 3, gap: 7 },
  ],
} as const;

/** The coders of the text: you first, then other people, then agents. */
export const coders = computed<readonly Coder[]>(() => {
  const { agents, you } = codebook.answer.value ?? { agents: new Set<string>(), you: "" };
  const names = new Set(openedSource.value?.segments.map(({ owner }) => owner ?? ""));
  const rank = (name: string): number => (name === you ? 0 : agents.has(name) ? 2 : 1);
  const counts = { people: 0, agents: 0 };
  return [...names]
    .sort((a, b) => rank(a) - rank(b) || a.localeCompare(b))
    .map((name, lane) => {
      const isAgent = agents.has(name);
      const kind = isAgent ? "agents" : "people";
      const choices = patterns[kind];
      const pattern = elementAt<Pattern>(choices, counts[kind]++ % choices.length);
      return { name, isAgent, isYou: name === you, lane, pattern };
    });
});

const unknownCoder: Coder = {
  name: "",
  isAgent: false,
  isYou: false,
  lane: 0,
  pattern: patterns.people[0],
};

export const coderOf = (owner: string | null): Coder =>
  coders.value.find(({ name }) => name === (owner ?? "")) ?? { ...unknownCoder, name: owner ?? "" };

/** `default (you)`, `Kim`, `claude (agent)`. */
export function coderName({ name, isAgent, isYou }: Coder): string {
  const mark = isYou ? " (you)" : isAgent ? " (agent)" : "";
  return `${name || "unknown coder"}${mark}`;
}
