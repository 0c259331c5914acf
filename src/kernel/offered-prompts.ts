import type { Call } from "./call.ts";
import type { Catalogue } from "./catalogue.ts";
import { invalid } from "./failure.ts";
import type { Prompt, Rendering } from "./prompt.ts";
import type { Completion } from "./resource.ts";
import type { AnyShelf } from "./shelf.ts";

/** The prompts of all shelves in use, found by their names. */
export interface OfferedPrompts {
  list(): Promise<Prompt[]>;
  render(name: string, values: Record<string, string>, call: Call): Promise<Rendering>;
  complete(
    name: string,
    asked: { argument: string; typed: string; given: Readonly<Record<string, string>> },
  ): Promise<Completion[]>;
}

export function offerPrompts(
  { prompts: sources }: Catalogue,
  stateOf: (shelf: AnyShelf) => unknown,
): OfferedPrompts {
  async function find(name: string) {
    for (const { source, shelf } of sources) {
      const prompts = await source.list(stateOf(shelf));
      const prompt = prompts.find((known) => known.name === name);
      if (prompt) return { source, state: stateOf(shelf), prompt };
    }
    throw invalid(`Prompt not found: ${name}`);
  }

  return {
    async list() {
      const lists = sources.map(({ source, shelf }) => source.list(stateOf(shelf)));
      const all = (await Promise.all(lists)).flat();
      // Of one name the first is rendered, so it alone is shown.
      const byName = new Map(all.toReversed().map((prompt) => [prompt.name, prompt]));
      return all.filter((prompt) => byName.get(prompt.name) === prompt);
    },
    async render(name, values, call) {
      const { source, state, prompt } = await find(name);
      if (!source.checksArguments) refuseWrongArguments(prompt, values);
      return source.render(name, values, state, call);
    },
    async complete(name, { argument, typed, given }) {
      const { source, state } = await find(name);
      return (await source.complete?.(name, argument, typed, state, given)) ?? [];
    },
  };
}

function refuseWrongArguments(prompt: Prompt, values: Record<string, string>): void {
  const known = prompt.arguments.map((argument) => argument.name);
  for (const { name, required } of prompt.arguments) {
    if (required && values[name] === undefined) throw invalid(`Missing argument '${name}'.`);
  }
  for (const name of Object.keys(values)) {
    if (known.includes(name)) continue;
    throw invalid(`Unknown argument '${name}'.`, [`Known: ${known.join(", ") || "none"}.`]);
  }
}
