import type { Call } from "../call.ts";
import { invalid } from "../failure.ts";
import type { AnyShelf } from "../shelf.ts";
import type { Catalogue } from "./catalogue.ts";
import type { Prompt, RenderedPrompt } from "./prompt.ts";
import type { Completion } from "./resource.ts";

/** The prompts of all shown shelves. */
export interface PromptCatalogue {
  list(): Promise<Prompt[]>;
  render(name: string, values: Record<string, string>, call: Call): Promise<RenderedPrompt>;
  complete(
    name: string,
    request: { argument: string; typed: string; given: Readonly<Record<string, string>> },
  ): Promise<Completion[]>;
}

export function createPromptCatalogue(
  { prompts: sources }: Catalogue,
  stateOf: (shelf: AnyShelf) => unknown,
): PromptCatalogue {
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
      // `render` uses the first prompt of a name, so only that one is listed.
      const byName = new Map(all.toReversed().map((prompt) => [prompt.name, prompt]));
      return all.filter((prompt) => byName.get(prompt.name) === prompt);
    },
    async render(name, values, call) {
      const { source, state, prompt } = await find(name);
      if (!source.checksArguments) assertArguments(prompt, values);
      return source.render(name, values, state, call);
    },
    async complete(name, { argument, typed, given }) {
      const { source, state } = await find(name);
      return (await source.complete?.(name, argument, typed, state, given)) ?? [];
    },
  };
}

function assertArguments(prompt: Prompt, values: Record<string, string>): void {
  const knownNames = prompt.arguments.map((argument) => argument.name);
  for (const { name, required } of prompt.arguments) {
    if (required && values[name] === undefined) throw invalid(`Missing argument '${name}'.`);
  }
  for (const name of Object.keys(values)) {
    if (knownNames.includes(name)) continue;
    throw invalid(`Unknown argument '${name}'.`, [`Known: ${knownNames.join(", ") || "none"}.`]);
  }
}
