import type { Block } from "./block.ts";
import type { Call } from "./call.ts";
import type { Completion } from "./resource.ts";

/** Prompts from one place: a fixed text, or files that people edit. */
export interface PromptSource<State> {
  list(state: State): Prompt[] | Promise<Prompt[]>;
  /** Where `render` itself refuses arguments; else missing and unknown ones never reach it. */
  readonly checksArguments?: true;
  /** Called only for a name that `list` shows, with strings for values. */
  render(
    name: string,
    values: Readonly<Record<string, string>>,
    state: State,
    call: Call,
  ): Rendering | Promise<Rendering>;
  complete?(
    name: string,
    argument: string,
    typed: string,
    state: State,
    given: Readonly<Record<string, string>>,
  ): Completion[] | Promise<Completion[]>;
}

export interface Prompt {
  name: string;
  title?: string;
  description: string;
  arguments: { name: string; description?: string; required?: boolean }[];
}

export interface Rendering {
  description: string;
  messages: { role: "user" | "assistant"; content: Block }[];
}
