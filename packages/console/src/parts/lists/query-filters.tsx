import { useEffect, useState } from "react";
import { replaceQuery, useLocation } from "../../router.ts";

const PAUSE_MS = 200;

/** Words to search for. They become `q` of the address once typing pauses. */
export function QuerySearch({ label, placeholder = label }: { label: string; placeholder?: string }) {
  const { query } = useLocation();
  const q = query.get("q") ?? "";
  const [text, setText] = useState(q);
  useEffect(() => {
    const timer = setTimeout(() => text !== q && replaceQuery({ q: text }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <label className="grow">
      <span className="visually-hidden">{label}</span>
      <input
        type="search"
        value={text}
        placeholder={placeholder}
        onChange={({ target }) => setText(target.value)}
      />
    </label>
  );
}

/** One of several values, or all: `name` of the address. */
export function QueryChoice({
  name,
  label,
  options,
  show = (value) => value,
  className,
}: {
  name: string;
  label: string;
  options: readonly string[];
  show?: (value: string) => string;
  className?: string;
}) {
  const { query } = useLocation();
  return (
    <label className={className}>
      <span className="visually-hidden">{label}</span>
      <select value={query.get(name) ?? ""} onChange={({ target }) => replaceQuery({ [name]: target.value })}>
        <option value="">{label}: all</option>
        {options.map((option) => (
          <option key={option} value={option}>
            {show(option)}
          </option>
        ))}
      </select>
    </label>
  );
}
