import { isObject } from "@mci-ts/primitives/is-object";
import { shellWord } from "@mci-ts/primitives/shell-word";
import { useState } from "react";
import { JsonView } from "../parts/json/json-view.tsx";
import { VisibleText } from "../parts/text/visible-text.tsx";

/** The exact request or command, as one would read it: a request line with its headers and body, or a command line. */
export function RequestView({
  preview,
  label = "The exact request",
}: {
  preview: unknown;
  /** Tells several requests on one screen apart. */
  label?: string;
}) {
  const [isOpen, setOpen] = useState(false);
  const lines = isObject(preview) ? textOf(preview) : undefined;
  if (lines === undefined) return <JsonView value={preview} />;
  return (
    <>
      <pre className="plain request" tabIndex={0} role="region" aria-label={label}>
        <VisibleText text={lines} />
      </pre>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>As JSON</summary>
        {isOpen && <JsonView value={preview} />}
      </details>
    </>
  );
}

function textOf(preview: Readonly<Record<string, unknown>>): string | undefined {
  const { type, method, url, headers, body, command, args, stdin } = preview as Readonly<
    Record<string, never>
  >;
  if (type === "http" && typeof url === "string") {
    const fields = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`);
    return [`${method ?? "GET"} ${url}`, ...fields, ...(body === undefined ? [] : ["", body])].join("\n");
  }
  if (type !== "cli") return undefined;
  const line = [command, ...((args ?? []) as unknown[])].map((each) => shellWord(String(each))).join(" ");
  return stdin === undefined ? line : `${line}\n\n${stdin}`;
}
