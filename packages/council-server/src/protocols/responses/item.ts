/** An item of the input or the output. */
export type Item = Record<string, unknown>;

/** Items that call a tool, whose text grows in a stream. */
export const CALLS: ReadonlySet<string> = new Set(["function_call", "custom_tool_call"]);

/** Tools of the provider's making that the agent runs. */
export const LOCAL_TOOLS = new Set([
  "local_shell",
  "shell",
  "apply_patch",
  "computer_use_preview",
  "computer",
]);

/** Their calls, which have no arguments but an action of their own. */
export const LOCAL_CALLS: Readonly<Record<string, string>> = {
  local_shell_call: "local_shell",
  shell_call: "shell",
  apply_patch_call: "apply_patch",
  computer_call: "computer",
};
