import { type ReactNode, useMemo, useState } from "react";
import type { CallResponse, ContentItem } from "../../serve/tools/types.ts";
import { formatDuration } from "../parts/format.ts";
import { JsonView } from "../parts/json-view.tsx";
import { Markdown } from "../parts/markdown/markdown.tsx";

/** Above this a text is cut until asked for: a result of ten megabytes must not freeze the page. */
const SHOWN_CHARS = 100_000;
const MAX_JSON_CHARS = 5_000_000;

/** A result as the kind it is. */
export function ResultView({ response, children }: { response: CallResponse; children?: ReactNode }) {
  const { result, duration_ms } = response;
  const code = result.metadata["error_code"];
  return (
    <section className={`card result ${result.isError ? "failed" : ""}`} aria-label="Result">
      <div className="row spread">
        <h2>
          {result.isError ? "Failed" : "Result"} <span className="muted">{formatDuration(duration_ms)}</span>
        </h2>
        {typeof code === "string" && <span className="badge failed">{code}</span>}
        {children}
      </div>
      {result.structuredContent !== undefined ? (
        <JsonView value={result.structuredContent} />
      ) : (
        result.content.map((item, index) => <Content key={index} item={item} isError={result.isError} />)
      )}
      {result.structuredContent !== undefined &&
        result.content
          .filter(({ type }) => type !== "text")
          .map((item, index) => <Content key={index} item={item} isError={false} />)}
      {result.content.length === 0 && result.structuredContent === undefined && (
        <p className="muted">Empty result.</p>
      )}
      <details>
        <summary>Metadata</summary>
        <JsonView value={result.metadata} />
      </details>
    </section>
  );
}

function Content({ item, isError }: { item: ContentItem; isError: boolean }) {
  switch (item.type) {
    case "text":
      return <Text text={item.text} isError={isError} />;
    case "image":
      return (
        <img className="media" alt="Returned by the tool" src={dataUrl(item.mimeType, item.data, "image/")} />
      );
    case "audio":
      // biome-ignore lint/a11y/useMediaCaption: a tool's audio has none
      return <audio controls src={dataUrl(item.mimeType, item.data, "audio/")} />;
    case "resource":
      return item.resource.text === undefined ? (
        <p>
          Binary resource <code>{item.resource.uri}</code>, {item.resource.mimeType ?? "unknown type"}
        </p>
      ) : (
        <Text text={item.resource.text} isError={false} />
      );
    case "resource_link":
      return (
        <p>
          Link to <code>{item.uri}</code> {item.title ?? item.name}
        </p>
      );
    default:
      return <JsonView value={item} />;
  }
}

function Text({ text, isError }: { text: string; isError: boolean }) {
  const json = useMemo(() => (isError ? undefined : parseJson(text)), [text, isError]);
  const forms = [...(json === undefined ? [] : ["JSON"]), "text", ...(isError ? [] : ["Markdown"])];
  const [form, setForm] = useState(forms[0]!);
  const [all, setAll] = useState(false);
  const visible = all ? text : text.slice(0, SHOWN_CHARS);
  return (
    <div className="result-item">
      {form === "JSON" ? (
        <JsonView value={json} />
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
        {form !== "JSON" && visible.length < text.length && (
          <button type="button" className="quiet" onClick={() => setAll(true)}>
            Show all {text.length.toLocaleString()} characters
          </button>
        )}
      </div>
    </div>
  );
}

/** A text that is a JSON object or array is shown as one. */
function parseJson(text: string): object | undefined {
  if (text.length > MAX_JSON_CHARS || !/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** As data, and only as the kind it should be: a tool cannot make the page load anything or run a document. */
function dataUrl(mimeType: string, data: string, kind: string): string {
  const safe = mimeType.startsWith(kind) && /^[\w.+-]+\/[\w.+-]+$/.test(mimeType) ? mimeType : `${kind}png`;
  return `data:${safe};base64,${data.replace(/[^A-Za-z0-9+/=]/g, "")}`;
}
