import { parseJson } from "@mci-ts/primitives/parse-json";
import { type ReactNode, useMemo, useState } from "react";
import type { CallResponse, ContentItem } from "../../serve/tools/types.ts";
import { download } from "../parts/download.ts";
import { formatBytes, formatDuration } from "../parts/format.ts";
import { Table } from "../parts/json/json-table.tsx";
import { JsonView } from "../parts/json/json-view.tsx";
import { isRounded } from "../parts/json/parse-exact.ts";
import { Markdown } from "../parts/markdown/markdown.tsx";
import { resourceHrefOf, serverHref } from "./servers/place.ts";
import { looksLikeMarkdown, parseCsv } from "./text-kinds.ts";

/** Above this a text is cut until asked for: a result of ten megabytes must not freeze the page. */
const SHOWN_CHARS = 100_000;
const MAX_JSON_CHARS = 12_000_000;

/** A result as the kind it is. */
export function ResultView({ response, children }: { response: CallResponse; children?: ReactNode }) {
  const { result, duration_ms } = response;
  const { error_code: code, mcp_server: server } = result.metadata;
  // The text has every digit of it.
  const isShownAsText = result.content.some((item) => item.type === "text" && isRounded(item.text));
  const structured = isShownAsText ? undefined : result.structuredContent;
  const hrefOf = typeof server === "string" ? resourceHrefOf(serverHref(server)) : undefined;
  return (
    <section className={`card result ${result.isError ? "failed" : ""}`} aria-label="Result">
      <div className="row spread result-head">
        <h2>
          {result.isError ? "Failed" : "Result"} <span className="muted">{formatDuration(duration_ms)}</span>
        </h2>
        {typeof code === "string" && <span className="badge failed">{code}</span>}
        {children}
      </div>
      {structured !== undefined ? (
        <Json value={structured} />
      ) : (
        result.content.map((item, index) => (
          <Content key={index} item={item} isError={result.isError} hrefOf={hrefOf} />
        ))
      )}
      {structured !== undefined &&
        result.content
          .filter(({ type }) => type !== "text")
          .map((item, index) => <Content key={index} item={item} hrefOf={hrefOf} />)}
      {result.content.length === 0 && result.structuredContent === undefined && (
        <p className="muted">The result is empty: the tool returned nothing.</p>
      )}
      <details>
        <summary>Metadata</summary>
        <JsonView value={result.metadata} />
      </details>
    </section>
  );
}

/** An empty list or object says so: an empty screen could be a mistake. */
function Json({ value }: { value: unknown }) {
  const isEmpty = typeof value === "object" && value !== null && Object.keys(value).length === 0;
  if (!isEmpty) return <JsonView value={value} />;
  return (
    <p className="muted">
      The result is empty: {Array.isArray(value) ? "a list without items" : "an object without fields"}.
    </p>
  );
}

/** A part of a result, a message or a resource, as the kind it is. */
export function Content({
  item,
  isError = false,
  alt = "Returned by the tool",
  hrefOf,
}: {
  item: ContentItem;
  isError?: boolean;
  /** What an image without a name is called. */
  alt?: string;
  /** Where the page shows a resource of this address. Default: nowhere. */
  hrefOf?: ((uri: string) => string) | undefined;
}) {
  switch (item.type) {
    case "text":
      return <Text text={item.text} isError={isError} />;
    case "image":
      return (
        <Media data={item.data} mimeType={item.mimeType}>
          <img className="media" alt={alt} src={dataUrl(item.mimeType, item.data, "image/")} />
        </Media>
      );
    case "audio":
      return (
        <Media data={item.data} mimeType={item.mimeType}>
          {/* biome-ignore lint/a11y/useMediaCaption: a tool's audio has none */}
          <audio controls src={dataUrl(item.mimeType, item.data, "audio/")} />
        </Media>
      );
    case "resource":
      return <Resource {...item.resource} />;
    case "resource_link":
      return (
        <p>
          Link to{" "}
          {hrefOf ? (
            <a href={hrefOf(item.uri)}>
              <code className="break">{item.uri}</code>
            </a>
          ) : (
            <code className="break">{item.uri}</code>
          )}{" "}
          <bdi>{item.title ?? item.name}</bdi>
        </p>
      );
    default:
      return <JsonView value={item} />;
  }
}

/** A file that the tool returned: as its type says, if the page can show that. */
function Resource({
  uri,
  text,
  blob = "",
  mimeType = "unknown type",
}: Extract<ContentItem, { type: "resource" }>["resource"]) {
  const written = useMemo(() => text ?? textOf(blob, mimeType), [text, blob, mimeType]);
  if (written !== undefined) return <Text text={written} isError={false} mimeType={mimeType} />;
  return (
    <Media data={blob} mimeType={mimeType} name={uri.split("/").at(-1)}>
      {mimeType.startsWith("image/") ? (
        <img className="media" alt={uri} src={dataUrl(mimeType, blob, "image/")} />
      ) : mimeType.startsWith("audio/") ? (
        // biome-ignore lint/a11y/useMediaCaption: a tool's audio has none
        <audio controls src={dataUrl(mimeType, blob, "audio/")} />
      ) : (
        <p>
          {mimeType === PDF ? "A PDF document:" : "Binary content, to download:"} <code>{uri}</code>
        </p>
      )}
    </Media>
  );
}

const PDF = "application/pdf";
/** The browser has read it by then. */
const OPENED_MS = 60_000;

const isPdf = (bytes: Uint8Array) => new TextDecoder("latin1").decode(bytes.subarray(0, 5)) === "%PDF-";

/** In the browser's own viewer, which a document cannot leave. The type is fixed: nothing else is ever opened, and the new tab does not know this one. */
function openPdf(bytes: Uint8Array<ArrayBuffer>): void {
  const url = URL.createObjectURL(new Blob([bytes], { type: PDF }));
  open(url, "_blank", "noopener");
  setTimeout(() => URL.revokeObjectURL(url), OPENED_MS);
}

/** What is not text: as what it is, with its type and size, and as a file. */
function Media({
  data,
  mimeType,
  name = "result",
  children,
}: {
  data: string;
  mimeType: string;
  name?: string | undefined;
  children: ReactNode;
}) {
  const bytes = useMemo(() => bytesOf(data), [data]);
  const [, extension = "bin"] = /^\w+\/(?:x-)?([a-z0-9]{2,5})/i.exec(mimeType) ?? [];
  return (
    <div className="result-item">
      {children}
      <div className="row">
        <small>
          {mimeType}, {bytes ? formatBytes(bytes.length) : "not base64"}
        </small>
        {bytes && mimeType === PDF && isPdf(bytes) && (
          <button type="button" className="quiet" onClick={() => openPdf(bytes)}>
            Open in a new tab
          </button>
        )}
        {bytes && (
          <button
            type="button"
            className="quiet"
            onClick={() =>
              // As bytes and nothing else: the browser saves it, and opens nothing.
              download(/\.\w+$/.test(name) ? name : `${name}.${extension}`, bytes, "application/octet-stream")
            }
          >
            Download
          </button>
        )}
      </div>
    </div>
  );
}

function Text({ text, isError, mimeType = "" }: { text: string; isError: boolean; mimeType?: string }) {
  const isExact = useMemo(() => isError || !isRounded(text), [text, isError]);
  const json = useMemo(() => (isError || !isExact ? undefined : structureOf(text)), [text, isError, isExact]);
  const rows = useMemo(
    () => (isError || !isExact || json !== undefined ? undefined : parseCsv(text)),
    [text, isError, isExact, json],
  );
  const isMarkdown = /^text\/(x-)?markdown\b/i.test(mimeType);
  const forms = [
    ...(isMarkdown ? ["Markdown"] : []),
    ...(json === undefined ? [] : ["JSON"]),
    ...(rows === undefined ? [] : ["table"]),
    ...(!isError && isExact && json === undefined && rows === undefined && looksLikeMarkdown(text)
      ? ["Markdown"]
      : []),
    "text",
    ...(isError || !isExact || json !== undefined || rows !== undefined ? [] : ["Markdown"]),
  ].filter((form, index, all) => all.indexOf(form) === index);
  const [form, setForm] = useState(forms[0]!);
  const [all, setAll] = useState(false);
  const visible = all ? text : text.slice(0, SHOWN_CHARS);
  if (text.trim() === "")
    return (
      <p className="muted">
        {text === ""
          ? "The result is empty: a text without characters."
          : "The result is a text of spaces only."}
      </p>
    );
  return (
    <div className="result-item">
      {!isExact && (
        <p className="muted">As text: it has a number that a browser would show as another one.</p>
      )}
      {form === "JSON" ? (
        <Json value={json} />
      ) : form === "table" && rows ? (
        <Table rows={rows} />
      ) : form === "Markdown" ? (
        <Markdown text={visible} />
      ) : (
        <pre className={`plain ${isError ? "error-text" : ""}`} dir="auto" tabIndex={0}>
          {visible}
        </pre>
      )}
      <div className="row">
        {forms
          .filter((each) => each !== form)
          .map((each) => (
            <button key={each} type="button" className="quiet" onClick={() => setForm(each)}>
              Show as {each}
            </button>
          ))}
        <button
          type="button"
          className="quiet"
          onClick={() =>
            download(`result.${json !== undefined ? "json" : rows ? "csv" : "txt"}`, text, "text/plain")
          }
        >
          Download
        </button>
        {form !== "JSON" && form !== "table" && visible.length < text.length && (
          <button type="button" className="quiet" onClick={() => setAll(true)}>
            Show all {text.length.toLocaleString()} characters
          </button>
        )}
      </div>
    </div>
  );
}

/** A text that is a JSON object or array is shown as one. */
function structureOf(text: string): object | undefined {
  if (text.length > MAX_JSON_CHARS || !/^\s*[[{]/.test(text)) return undefined;
  return parseJson(text) as object | undefined;
}

/** The text of bytes that say of themselves that they are one; undefined if they are not. */
function textOf(blob: string, mimeType: string): string | undefined {
  if (!/^(text\/|application\/([\w.-]+\+)?(json|xml|yaml)\b)/i.test(mimeType)) return undefined;
  const bytes = bytesOf(blob);
  try {
    return bytes && new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64.replace(/\s+/g, "")), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** As data, and only as the kind it should be: a tool cannot make the page load anything or run a document. */
function dataUrl(mimeType: string, data: string, kind: string): string {
  const safe = mimeType.startsWith(kind) && /^[\w.+-]+\/[\w.+-]+$/.test(mimeType) ? mimeType : `${kind}png`;
  return `data:${safe};base64,${data.replace(/[^A-Za-z0-9+/=]/g, "")}`;
}
