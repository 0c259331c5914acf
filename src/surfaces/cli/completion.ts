import type { Command } from "./command.ts";
import { bashScript } from "./completion-bash.ts";
import { fishScript } from "./completion-fish.ts";
import { zshScript } from "./completion-zsh.ts";

/** A script for one shell, made from the table that also parses what the script completes. */
export function completionScript(
  shell: "bash" | "zsh" | "fish",
  program: string,
  commands: readonly Command[],
): string {
  const shown = commands.filter(({ hidden }) => !hidden);
  const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };
  return scripts[shell](program, shown);
}
