import type { Command } from "../command.ts";
import { bashScript } from "./bash.ts";
import { fishScript } from "./fish.ts";
import { zshScript } from "./zsh.ts";

/** The completion script for one shell, generated from the command table. */
export function completionScript(
  shell: "bash" | "zsh" | "fish",
  program: string,
  commands: readonly Command[],
): string {
  const shown = commands.filter(({ hidden }) => !hidden);
  const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };
  return scripts[shell](program, shown);
}
