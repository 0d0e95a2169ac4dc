import { useRef, useState } from "react";
import { formatBytes } from "../format.ts";
import type { FieldProps } from "./field.ts";

/** A request holds eight megabytes, and base64 makes a third more of a file. */
const MAX_BYTES = 5 * 1024 * 1024;

/** A file of this machine, as base64 or as a data URL. What is sent is its content, never its path. */
export function FileField({ schema, value, onChange, control }: FieldProps) {
  const [chosen, setChosen] = useState<string>();
  const [error, setError] = useState<string>();
  const picker = useRef<HTMLInputElement>(null);
  const read = async (file: File) => {
    setError(undefined);
    if (file.size > MAX_BYTES) {
      setError(`${file.name} has ${formatBytes(file.size)}; at most ${formatBytes(MAX_BYTES)} can be sent.`);
      return;
    }
    const url = await dataUrlOf(file);
    setChosen(`${file.name}, ${formatBytes(file.size)}`);
    onChange(schema.format === "data-url" ? url : url.slice(url.indexOf(",") + 1));
  };
  return (
    <>
      <input
        {...control}
        ref={picker}
        type="file"
        accept={schema.contentMediaType}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) void read(file);
        }}
      />
      {typeof value === "string" && (
        <div className="row">
          <small>{chosen ?? `Content of ${formatBytes(Math.floor(value.length * 0.75))}`}</small>
          <button
            type="button"
            className="quiet"
            onClick={() => {
              // Its name would stand there as if it were sent, and it could not be chosen again.
              if (picker.current) picker.current.value = "";
              onChange(undefined);
            }}
          >
            Leave out
          </button>
        </div>
      )}
      {error && (
        <p className="error-text" role="status">
          {error}
        </p>
      )}
    </>
  );
}

function dataUrlOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
