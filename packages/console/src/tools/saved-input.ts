/** What was typed into the forms of tools, for as long as the page is open. */
const inputs = new Map<string, Record<string, unknown>>();

export function savedInput(tool: string): Record<string, unknown> | undefined {
  return inputs.get(tool);
}

export function saveInput(tool: string, input: Record<string, unknown>): void {
  inputs.set(tool, input);
}
