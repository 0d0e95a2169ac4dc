import { type CompletionSpec, type OptionSpec, shellQuote, type ValueSpec } from "./spec.ts";

export function zsh(commands: readonly CompletionSpec[]): string {
  const list = commands.flatMap(({ names, summary }) =>
    names.map((name) => `    ${shellQuote(`${name}:${summary}`)}`),
  );
  return `#compdef mci
# Completion of mci for zsh. Load it in ~/.zshrc, after compinit, with: source <(mci completion zsh)
_mci_tools() {
  local -a tools
  local at=\${words[(I)(-f|--file)]}
  if (( at )); then tools=(\${(f)"$(mci completion tools --file "\${words[at+1]}" 2>/dev/null)"})
  else tools=(\${(f)"$(mci completion tools 2>/dev/null)"}); fi
  compadd -a tools
}
_mci() {
  local -a commands=(
${list.join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=\${words[2]}
  words=("\${words[@]:1}")
  (( CURRENT-- ))
  case $command in
${commands.map(commandCase).join("\n")}
  esac
}
compdef _mci mci
`;
}

function commandCase({ names, options, operands }: CompletionSpec): string {
  const places = operands.map((operand, index) =>
    // A place for each, or zsh takes the words there for mistakes and completes no options after them.
    shellQuote(
      operand.multiple
        ? `*: :${operand.complete === "tool" ? "_mci_tools" : "_files"}`
        : `${index + 1}:: :${action(operand)}`,
    ),
  );
  const specs = [...options.flatMap(optionSpecs), ...places];
  return `    ${names.join("|")}) _arguments ${specs.join(" ")} ;;`;
}

function optionSpecs(option: OptionSpec): string[] {
  const help = `[${option.help.replace(/[[\]:]/g, "\\$&")}]`;
  const value = option.takesValue ? `: :${action(option)}` : "";
  const names = [`--${option.long}`, ...(option.short ? [`-${option.short}`] : [])];
  return names.map((name) => shellQuote(`*${name}${help}${value}`));
}

function action({ choices, complete }: ValueSpec): string {
  if (choices) return `(${choices.join(" ")})`;
  if (complete === "tool") return "_mci_tools";
  if (complete === "directory") return "_files -/";
  return complete === "file" ? "_files" : " ";
}
