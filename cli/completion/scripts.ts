/**
 * Completion scripts that call `stackyard --complete`, which prints one candidate per line: the word, a tab, a
 * description.
 */

export const SHELLS = ["bash", "zsh", "fish"] as const;

export type Shell = (typeof SHELLS)[number];

const BASH = `_stackyard() {
  local IFS=$'\\n'
  COMPREPLY=($(stackyard --complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1))
}
complete -o default -F _stackyard stackyard
`;

const ZSH = `#compdef stackyard
_stackyard() {
  local -a found
  local line
  while IFS= read -r line; do
    found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <(stackyard --complete "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#found} )); then _describe stackyard found; else _files; fi
}
compdef _stackyard stackyard
`;

// Without -f, fish would add file names to all candidates.
const FISH = `function __stackyard_complete
  set -l found (stackyard --complete (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c stackyard -f -a '(__stackyard_complete)'
`;

const SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH };

export const completionScript = (shell: Shell): string => SCRIPTS[shell];
