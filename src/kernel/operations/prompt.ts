import type { Call } from "../call.ts";
import type { OutputBlock } from "./output-block.ts";
import type { Completion } from "./resource.ts";

/** A source of prompts: fixed texts, or files that users edit. */
export interface PromptSource<State> {
  list(state: State): Prompt[] | Promise<Prompt[]>;
  /**
   * Set if `render` itself validates arguments; otherwise missing and unknown arguments are
   * rejected before the call.
   */
  readonly checksArguments?: true;
  /** Called only for names that `list` returns. */
  render(
    name: string,
    values: Readonly<Record<string, string>>,
    state: State,
    call: Call,
  ): RenderedPrompt | Promise<RenderedPrompt>;
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

export interface RenderedPrompt {
  description: string;
  messages: { role: "user" | "assistant"; content: OutputBlock }[];
}
