import { shellWord } from "@mci-ts/primitives/shell-word";
import type { HttpPreview, Preview } from "mci-ts";
import type { Output } from "../command.ts";
import { escapeControls, toJson } from "../print/escape-controls.ts";

/** Prints what a call would send, to read or (`json`) for another program. */
export function printPreview(preview: Preview, format: "text" | "json", stdout: Output): void {
  const text = format === "json" ? toJson(preview) : asText(preview);
  stdout.write(stdout.isTTY ? escapeControls(text) : text);
}

function asText(preview: Preview): string {
  switch (preview.type) {
    case "http":
      return httpText(preview);
    case "cli": {
      const { command, args, cwd, env, stdin } = preview;
      const variables = env.length === 0 ? "" : `Variables: ${env.join(", ")}\n`;
      const input = stdin === undefined ? "" : `Standard input:\n${ending(stdin)}`;
      return `${[command, ...args].map(shellWord).join(" ")}\nIn: ${cwd}\n${variables}${input}`;
    }
    case "mcp":
      return `${preview.tool} of MCP server ${preview.server}\n${toJson(preview.arguments)}`;
    case "file":
      return `${preview.path}\n`;
    case "text":
      return ending(preview.text);
  }
}

/** The request as HTTP/1.1 writes it, but for the address, which is whole. */
function httpText({ method, url, headers, body, bodyEncoding }: HttpPreview): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
  const displayBody = bodyEncoding === undefined ? body : `(base64) ${body}`;
  return `${method} ${url}\n${lines.join("")}${displayBody === undefined ? "" : `\n${ending(displayBody)}`}`;
}

function ending(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
