/** A call in other words. Values are quoted for the shell they are pasted into: a value stays a value. */

export function asCommand(tool: string, input: Readonly<Record<string, unknown>>): string {
  return `mci call ${shellQuote(tool)} --params ${shellQuote(JSON.stringify(input))}`;
}

export function asTypeScript(tool: string, input: Readonly<Record<string, unknown>>): string {
  return `const result = await client.call(${JSON.stringify(tool)}, ${JSON.stringify(input, undefined, 2)});`;
}

/** undefined where the preview is no HTTP request, or one whose body is no text. */
export function asCurl(preview: unknown): string | undefined {
  const { type, method, url, headers, body, bodyEncoding } = (preview ?? {}) as {
    type?: string;
    method?: string;
    url?: string;
    headers?: Readonly<Record<string, string>>;
    body?: string;
    bodyEncoding?: string;
  };
  if (type !== "http" || url === undefined || bodyEncoding !== undefined) return undefined;
  const parts = [
    `curl -X ${shellQuote(method ?? "GET")} ${shellQuote(url)}`,
    ...Object.entries(headers ?? {}).map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${shellQuote(body)}`]),
  ];
  return parts.join(" \\\n  ");
}

function shellQuote(text: string): string {
  return /^[\w./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
