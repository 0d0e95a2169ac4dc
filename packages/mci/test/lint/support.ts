export { temporaryFolder as folder } from "../../../../test/temporary-folder.ts";

export const file = (...tools: object[]) => ({ schemaVersion: "1.0", tools });
export const text = (source: string) => ({ name: "t", execution: { type: "text", text: source } });
