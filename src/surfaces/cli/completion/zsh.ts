import type { Command } from "../command.ts";
import { completionPoints, shellLookupFunctions, trackTypedWord } from "./candidates.ts";

/** Works both as a file in `$fpath` and when sourced. */
export function zshScript(program: string, commands: readonly Command[]): string {
  return `#compdef ${program}
# Completion of ${program} for zsh. Save it as _${program} in a folder of $fpath, or in ~/.zshrc:
#   source <(${program} completion zsh)

${shellLookupFunctions(`_${program}`, completionPoints(commands))}
_${program}_offer() {
  local tab=$'\\t' line word
  local -a offers
  for line in "\${(@f)2}"; do
    [[ -z "$line" ]] && continue
    word="\${line%%\${tab}*}"
    word="\${word//:/\\\\:}"
    if [[ "$line" == *"$tab"* ]]; then word="$word:\${line#*\${tab}}"; fi
    offers+=("$word")
  done
  if (( \${#offers} )); then _describe -t "$1" "$1" offers; else _files; fi
}

_${program}() {
  local cur="\${words[CURRENT]}" typed="" longer="" waiting="" ended="" word
  integer at
  for ((at = 2; at < CURRENT; at++)); do
    word="\${words[at]}"
    if [[ -n "$waiting" ]]; then waiting=""; continue; fi
${trackTypedWord(program)}
  done
  if [[ -z "$waiting$ended" && "$cur" == --*=* ]]; then
    waiting="\${cur%%=*}"
    compset -P '*='
  fi
  if [[ -n "$waiting" ]]; then
    _${program}_offer value "$(_${program}_values "$typed" "$waiting")"
  elif [[ "$cur" == -* && -z "$ended" ]]; then
    _${program}_offer flag "$(_${program}_flags "$typed")"
  else
    _${program}_offer command "$(_${program}_words "$typed")"
  fi
}

if [[ "\${funcstack[1]}" == "_${program}" ]]; then
  _${program} "$@"
elif (( \${+functions[compdef]} )); then
  compdef _${program} ${program}
fi
`;
}
