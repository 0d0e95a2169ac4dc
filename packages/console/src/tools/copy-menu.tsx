import { useState } from "react";
import { asCommand, asCurl, asTypeScript } from "./copy-as.ts";

/** The call as a command, as curl (where a preview shows an HTTP request) and as TypeScript. */
export function CopyMenu({
  tool,
  input,
  preview,
}: {
  tool: string;
  input: Readonly<Record<string, unknown>>;
  preview: unknown;
}) {
  const [copied, setCopied] = useState("");
  const curl = asCurl(preview);
  const forms = [
    ["mci call", asCommand(tool, input)],
    ["TypeScript", asTypeScript(tool, input)],
    ...(curl === undefined ? [] : [["curl", curl] as const]),
  ] as const;
  return (
    <>
      {forms.map(([label, text]) => (
        <button
          key={label}
          type="button"
          className="quiet"
          onClick={async () => {
            await navigator.clipboard.writeText(text);
            setCopied(label);
          }}
        >
          Copy as {label}
        </button>
      ))}
      <span role="status" className="muted">
        {copied !== "" && `Copied as ${copied}.`}
      </span>
    </>
  );
}
