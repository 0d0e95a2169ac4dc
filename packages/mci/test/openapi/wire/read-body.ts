/** A form as pairs: names decoded, values still encoded. */
export function readForm(text: string): [string, string][] {
  return text
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => {
      const index = pair.indexOf("=");
      return [decodeURIComponent(pair.slice(0, index)), pair.slice(index + 1)];
    });
}

export interface MultipartBody {
  /** A list where a name occurs more than once. */
  readonly fields: Record<string, string | string[]>;
  readonly files: Record<string, unknown>;
}

export function readMultipart(body: Buffer, contentType: string): MultipartBody {
  const boundary = /boundary=([^;]+)/.exec(contentType)?.[1];
  if (boundary === undefined) throw new Error("the content type has no boundary");
  const text = body.toString("latin1");
  if (!text.endsWith(`--${boundary}--\r\n`)) throw new Error("the last boundary is missing");
  const fields: Record<string, string | string[]> = {};
  const files: Record<string, unknown> = {};
  for (const part of text.split(`--${boundary}`).slice(1, -1)) {
    const [head = "", ...rest] = part.slice(2).split("\r\n\r\n");
    const content = Buffer.from(rest.join("\r\n\r\n").slice(0, -2), "latin1").toString();
    const name = /name="([^"]*)"/.exec(head)?.[1];
    if (name === undefined) throw new Error("a part has no name");
    const into = /filename="/.test(head) ? files : fields;
    const before = into[name];
    into[name] = (before === undefined ? content : [before, content].flat()) as string;
  }
  return { fields, files };
}
