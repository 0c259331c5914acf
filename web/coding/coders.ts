import { computed } from "@preact/signals";
import { codebook, opened } from "./project.ts";

/** Somebody who has coded in the shown text: their lane in the margin, and how they draw. */
export interface Coder {
  name: string;
  isAgent: boolean;
  isYou: boolean;
  lane: number;
  pattern: Pattern;
}

/** A stroke and a gap, in pixels; no gap is a whole line. */
export interface Pattern {
  stroke: number;
  gap: number;
}

/** People draw long strokes, agents short ones; whom colour does not tell apart these do. */
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

/** Whoever has coded in the shown text: you first, then other people, then agents. */
export const coders = computed<readonly Coder[]>(() => {
  const { agents, you } = codebook.answer.value ?? { agents: new Set<string>(), you: "" };
  const names = new Set(opened.value?.segments.map(({ owner }) => owner ?? ""));
  const rank = (name: string): number => (name === you ? 0 : agents.has(name) ? 2 : 1);
  const drawn = { people: 0, agents: 0 };
  return [...names]
    .sort((a, b) => rank(a) - rank(b) || a.localeCompare(b))
    .map((name, lane) => {
      const isAgent = agents.has(name);
      const kind = isAgent ? "agents" : "people";
      const own = patterns[kind];
      const pattern = own[drawn[kind]++ % own.length] ?? own[0];
      return { name, isAgent, isYou: name === you, lane, pattern };
    });
});

const nobody: Coder = {
  name: "",
  isAgent: false,
  isYou: false,
  lane: 0,
  pattern: patterns.people[0],
};

export const coderOf = (owner: string | null): Coder =>
  coders.value.find(({ name }) => name === (owner ?? "")) ?? { ...nobody, name: owner ?? "" };

/** `default (you)`, `Kim`, `claude (agent)`. */
export function nameOf({ name, isAgent, isYou }: Coder): string {
  const mark = isYou ? " (you)" : isAgent ? " (agent)" : "";
  return `${name || "nobody"}${mark}`;
}
