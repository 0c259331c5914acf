import type { Command } from "../command.ts";
import { completionPoints, shellLookupFunctions, trackTypedWord } from "./candidates.ts";

/** Works with plain bash, without the bash-completion package. */
export function bashScript(program: string, commands: readonly Command[]): string {
  return `# Completion of ${program} for bash. Load it from ~/.bashrc:
#   source <(${program} completion bash)

${shellLookupFunctions(`_${program}`, completionPoints(commands))}
_${program}_offer() {
  local tab=$'\\t' line
  while IFS= read -r line; do
    line="\${line%%"$tab"*}"
    [[ "$line" == "$2"* ]] && COMPREPLY+=("$line")
  done <<<"$1"
}

_${program}() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" typed="" longer="" waiting="" ended="" word at
  COMPREPLY=()
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    # bash splits --flag=value into three words.
    if [[ "$word" == "=" ]]; then continue; fi
    if [[ -n "$waiting" ]]; then waiting=""; continue; fi
${trackTypedWord(program)}
  done
  if [[ "$cur" == "=" ]]; then cur=""; fi
  # With an empty COMPREPLY, bash completes file names.
  if [[ -n "$waiting" ]]; then
    _${program}_offer "$(_${program}_values "$typed" "$waiting")" "$cur"
  elif [[ "$cur" == -* && -z "$ended" ]]; then
    _${program}_offer "$(_${program}_flags "$typed")" "$cur"
  else
    _${program}_offer "$(_${program}_words "$typed")" "$cur"
  fi
}

complete -o bashdefault -o default -F _${program} ${program}
`;
}
