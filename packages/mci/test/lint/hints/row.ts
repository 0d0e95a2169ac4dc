import { file } from "../support.ts";

/** A mistake, the hint it gets, and the file after the hint was followed to the letter. */
export interface Row {
  readonly title: string;
  readonly wrong: Content;
  /** Its groups are what the hint suggests to write. */
  readonly hint: RegExp;
  readonly right: (...suggested: string[]) => Content;
  /** The call that works then, and the text it gives. */
  readonly call?: readonly [props: object, text: string];
  readonly name?: string;
  /** The name of the entry file. Default "mci.json". */
  readonly entry?: string;
  /** Further files of the folder. */
  readonly files?: Readonly<Record<string, Content>>;
}
export type Content = string | object | Buffer;

export const tool = (execution: object, properties?: object, more: object = {}) =>
  file({ name: "t", ...(properties && { inputSchema: { type: "object", properties, ...more } }), execution });
export const text = (source: string, properties?: object, more?: object) =>
  tool({ type: "text", text: source }, properties, more);
export const cli = (execution: object, properties?: object, more?: object) =>
  tool({ type: "cli", ...execution }, properties, more);
export const http = (execution: object, properties?: object) =>
  tool({ type: "http", url: "https://x.example/", ...execution }, properties);
export const withOutput = (n: object) =>
  file({
    name: "t",
    outputSchema: { type: "object", properties: { n: { type: "integer", ...n } } },
    execution: { type: "text", text: "x" },
  });
export const word = { word: { type: "string" } };
export const given = { required: ["word"] };

export const exactly = (hint: string) => new RegExp(`^${hint.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`);
