import type { ContentItem } from "../result.ts";

/** What of a result is for a model. */
export interface Content {
  readonly content: readonly ContentItem[];
  readonly structuredContent?: unknown;
}

/** A piece of a result: text, or bytes with their type. Every other kind of content becomes one of the two. */
export type Piece =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "media"; readonly mediaType: string; readonly data: string };

export interface ContentOptions {
  /** If false, images and audio are only named, for models that take none in the results of tools. Default true. */
  readonly media?: boolean;
}

/** A result as text and media. Structured content is text as JSON, unless the result's own text already says it. */
export function piecesOf(
  { content, structuredContent }: Content,
  { media = true }: ContentOptions = {},
): Piece[] {
  const pieces = content.map(pieceOf).map((piece) => (media ? piece : asText(piece)));
  if (structuredContent !== undefined && !pieces.some(({ type }) => type === "text"))
    pieces.push({ type: "text", text: JSON.stringify(structuredContent) });
  return pieces.length > 0 ? pieces : [{ type: "text", text: "" }];
}

/** For providers whose results have no flag for errors. */
export function errorTextOf(result: Content): string {
  return `Error: ${textOf(result)}`;
}

/** A result as one text. Media that cannot be shown are named, so that the model knows of them. */
export function textOf(result: Content): string {
  return piecesOf(result).map(textOfPiece).join("\n");
}

export function textOfPiece(piece: Piece): string {
  if (piece.type === "text") return piece.text;
  const bytes = Math.floor((piece.data.length * 3) / 4);
  return `[The tool returned ${piece.mediaType} (${bytes} bytes), which cannot be shown here.]`;
}

function asText(piece: Piece): Piece {
  return { type: "text", text: textOfPiece(piece) };
}

function pieceOf(item: ContentItem): Piece {
  switch (item.type) {
    case "text":
      return { type: "text", text: item.text };
    case "image":
    case "audio":
      return { type: "media", mediaType: item.mimeType, data: item.data };
    case "resource": {
      const { uri, mimeType, text, blob } = item.resource;
      if (blob !== undefined)
        return { type: "media", mediaType: mimeType ?? "application/octet-stream", data: blob };
      return { type: "text", text: text ?? uri };
    }
    case "resource_link":
      return {
        type: "text",
        text: [item.title ?? item.name, item.description, item.uri].filter(Boolean).join("\n"),
      };
  }
}
