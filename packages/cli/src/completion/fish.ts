import type { CompletionSpec, OptionSpec, ValueSpec } from "./spec.ts";

export function fish(commands: readonly CompletionSpec[]): string {
  const lines = commands.flatMap((command) => [
    ...command.names.map(
      (name) => `complete -c mci -n __fish_use_subcommand -a ${name} -d ${word(command.summary)}`,
    ),
    ...command.options.map((option) => optionLine(command, option)),
    ...command.operands.slice(0, 1).flatMap((operand) => operandLine(command, operand)),
  ]);
  return `# Completion of mci for fish. Load it with: mci completion fish | source
complete -c mci -f
complete -c mci -n __fish_use_subcommand -l version -d 'Show the version'
complete -c mci -n __fish_use_subcommand -l help -s h -d 'Show every command'
function __mci_tools
    set -l words (commandline -opc)
    set -l at (contains -i -- --file $words; or contains -i -- -f $words)
    if test -n "$at"
        mci completion tools --file $words[(math $at + 1)] 2>/dev/null
    else
        mci completion tools 2>/dev/null
    end
end
${lines.join("\n")}
`;
}

function optionLine(
  command: CompletionSpec,
  { long, short, help, takesValue, ...value }: OptionSpec,
): string {
  return [
    condition(command),
    `-l ${long}`,
    short && `-s ${short}`,
    takesValue && `-r ${source(value)}`,
    `-d ${word(help)}`,
  ]
    .filter(Boolean)
    .join(" ");
}

function operandLine(command: CompletionSpec, operand: ValueSpec): string[] {
  const words = source(operand);
  return words === "" ? [] : [`${condition(command)} ${words}`];
}

function condition({ names }: CompletionSpec): string {
  return `complete -c mci -n '__fish_seen_subcommand_from ${names.join(" ")}'`;
}

function source({ choices, complete }: ValueSpec): string {
  if (choices) return `-a ${word(choices.join(" "))}`;
  if (complete === "tool") return "-a '(__mci_tools)'";
  if (complete === "directory") return "-a '(__fish_complete_directories)'";
  return complete === "file" ? "-F" : "";
}

function word(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
