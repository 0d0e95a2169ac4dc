import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { getJson } from "../api/http.ts";
import { asCommand, asCurl, asMcpConfig, asTypeScript, type CopiedCall } from "./copy-as.ts";

type Preview = { readonly type?: string };

interface Form {
  readonly label: string;
  readonly write: (call: CopiedCall) => string | Promise<string>;
  /** Default: every tool has it. */
  readonly onlyFor?: string;
}

const FORMS: readonly Form[] = [
  { label: "mci call", write: asCommand },
  { label: "curl", write: curlOf, onlyFor: "http" },
  { label: "TypeScript", write: asTypeScript },
  { label: "MCP config", write: asMcpConfig },
];

/** The call as a command, as curl (HTTP tools) and as TypeScript; the file as a server in the settings of an MCP client. */
export function CopyMenu({ call, type }: { call: CopiedCall; type: string }) {
  const [shown, setShown] = useState<{ label: string; text: string; isCopied: boolean }>();
  const copy = useMutation({
    mutationFn: async ({ label, write }: Form) => {
      const text = await write(call);
      // Pages over plain http from another machine have no clipboard.
      const isCopied = await (navigator.clipboard?.writeText(text) ?? Promise.reject()).then(
        () => true,
        () => false,
      );
      setShown({ label, text, isCopied });
    },
  });
  return (
    <div className="copy-menu">
      <div className="row">
        <span className="muted">Copy as</span>
        {FORMS.filter(({ onlyFor = type }) => onlyFor === type).map((form) => (
          <button
            key={form.label}
            type="button"
            className="quiet"
            aria-label={`Copy as ${form.label}`}
            onClick={() => copy.mutate(form)}
          >
            {form.label}
          </button>
        ))}
        <span role="status" className="muted">
          {shown?.isCopied && `Copied as ${shown.label}.`}
          {copy.isError && copy.error.message}
        </span>
      </div>
      {shown && !shown.isCopied && (
        <label>
          The browser refused to copy: select and copy it here
          <textarea className="mono" rows={5} readOnly value={shown.text} />
        </label>
      )}
    </div>
  );
}

async function curlOf({ tool, input }: CopiedCall): Promise<string> {
  const preview = await getJson<Preview>(`api/tools/${encodeURIComponent(tool)}/preview`, {
    body: { input },
  });
  const text = asCurl(preview);
  if (text === undefined) throw new Error("This request cannot be written as curl.");
  return text;
}
