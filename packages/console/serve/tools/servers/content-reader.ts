import { isObject } from "@mci-ts/primitives/is-object";
import type { ContentItem } from "../types.ts";
import type { ContentPart } from "./types.ts";

/** Characters of one response: more than a browser draws well, and a server may send any number. */
const MAX_CHARS = 12_000_000;
/** Characters of an address, a name or a type. */
const MAX_NAME = 8192;

/**
 * Makes items of what a server sent, which may be anything, until there are too many characters of it. Secrets are masked before that: half
 * of one is not found. In what is not text they are not searched, where a short one would be found by chance.
 */
export class ContentReader {
  readonly #mask: (text: string) => string;
  #left = MAX_CHARS;

  constructor(mask: (text: string) => string) {
    this.#mask = mask;
  }

  /** A part of a message. */
  item(sent: unknown): ContentPart {
    const { type, text, data, mimeType, uri, name, title, resource } = isObject(sent) ? sent : {};
    if (type === "text" && typeof text === "string") return this.#text(text, (text) => ({ type, text }));
    if ((type === "image" || type === "audio") && typeof data === "string")
      return this.#data(data, (data) => ({ type, data, mimeType: this.#name(mimeType) ?? "unknown type" }));
    if (type === "resource" && isObject(resource)) return this.resource(resource);
    if (type === "resource_link" && typeof uri === "string") {
      const titled = typeof title === "string" ? { title: this.#name(title)! } : {};
      return { item: { type, uri: this.#name(uri)!, name: this.#name(name) ?? "", ...titled } };
    }
    return this.#text(JSON.stringify(sent) ?? "null", (text) => ({ type: "text", text }));
  }

  /** One of the contents of a resource. */
  resource(sent: unknown): ContentPart {
    const { uri, mimeType, text, blob } = isObject(sent) ? sent : {};
    const type = this.#name(mimeType);
    const named = { uri: this.#name(uri) ?? "", ...(type !== undefined && { mimeType: type }) };
    const toItem = (content: object): ContentItem => ({
      type: "resource",
      resource: { ...named, ...content },
    });
    if (typeof text === "string") return this.#text(text, (text) => toItem({ text }));
    const data = typeof blob === "string" ? blob : "";
    return this.#data(isText(type) ? this.#maskEncoded(data) : data, (blob) => toItem({ blob }));
  }

  #name(value: unknown): string | undefined {
    return typeof value === "string" ? this.#mask(value).slice(0, MAX_NAME) : undefined;
  }

  #text(text: string, toItem: (text: string) => ContentItem): ContentPart {
    const masked = this.#mask(text);
    const kept = masked.slice(0, this.#left);
    this.#left -= kept.length;
    const omitted = masked.length - kept.length;
    return { item: toItem(kept), ...(omitted > 0 && { omitted_chars: omitted }) };
  }

  /** A part of a picture cannot be shown. */
  #data(data: string, toItem: (data: string) => ContentItem): ContentPart {
    if (data.length > this.#left) return { item: toItem(""), omitted_chars: data.length };
    this.#left -= data.length;
    return { item: toItem(data) };
  }

  #maskEncoded(data: string): string {
    const text = Buffer.from(data, "base64").toString("utf8");
    const masked = this.#mask(text);
    return masked === text ? data : Buffer.from(masked).toString("base64");
  }
}

const isText = (mimeType = "") => /^text\/|\b(json|xml|yaml|javascript|csv)\b/i.test(mimeType);
