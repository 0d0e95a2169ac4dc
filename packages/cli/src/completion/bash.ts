import { type CompletionSpec, shellQuote, type ValueSpec } from "./spec.ts";

export function bash(commands: readonly CompletionSpec[]): string {
  const names = commands.flatMap((command) => command.names).join(" ");
  return `# Completion of mci for bash. Load it in ~/.bashrc with: source <(mci completion bash)
_mci() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]}
  # "=" splits words in bash; nothing is offered after "key=".
  [[ $cur == "=" || $prev == "=" ]] && return
  if (( COMP_CWORD == 1 )); then
    COMPREPLY=($(compgen -W ${shellQuote(`${names} --help --version`)} -- "$cur"))
    return
  fi
  case $command in
${commands.map(commandCase).join("\n")}
  esac
}
_mci_tools() {
  local i
  for (( i = 1; i < COMP_CWORD; i++ )); do
    [[ \${COMP_WORDS[i]} == -f || \${COMP_WORDS[i]} == --file ]] && { mci completion tools --file "\${COMP_WORDS[i+1]}" 2>/dev/null; return; }
  done
  mci completion tools 2>/dev/null
}
complete -o default -F _mci mci
`;
}

function commandCase({ names, options, operands }: CompletionSpec): string {
  const valued = options.filter((option) => option.takesValue);
  const cases = valued.map(
    ({ long, short, ...value }) => `        ${short ? `-${short}|` : ""}--${long}) ${reply(value)} return ;;`,
  );
  const flags = options
    .flatMap(({ long, short }) => [`--${long}`, ...(short ? [`-${short}`] : [])])
    .join(" ");
  const [first] = operands;
  return `    ${names.join("|")})
${valued.length > 0 ? `      case $prev in\n${cases.join("\n")}\n      esac\n` : ""}      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W ${shellQuote(flags)} -- "$cur")); return; fi
      ${first ? `(( COMP_CWORD == 2 )) && { ${reply(first)} }` : "true"} ;;`;
}

function reply({ choices, complete }: ValueSpec): string {
  if (choices) return `COMPREPLY=($(compgen -W ${shellQuote(choices.join(" "))} -- "$cur"));`;
  if (complete === "tool") return 'COMPREPLY=($(compgen -W "$(_mci_tools)" -- "$cur"));';
  if (complete === "directory") return 'COMPREPLY=($(compgen -d -- "$cur"));';
  return complete === "file" ? 'COMPREPLY=($(compgen -f -- "$cur"));' : "COMPREPLY=();";
}
