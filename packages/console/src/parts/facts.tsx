import type { ReactNode } from "react";

export type Fact = readonly [name: string, value: ReactNode, hint?: string | undefined];

/** Too long for half of a phone. */
const LONG_CHARS = 24;

/** Names with their values, side by side. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="facts">
      {facts.map(([name, value, hint]) => (
        <div
          key={name}
          className={typeof value === "string" && value.length > LONG_CHARS ? "fact wide" : "fact"}
        >
          <dt>{name}</dt>
          <dd>
            {value}
            {hint && <small className="muted">{hint}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
