import type { ReactNode } from "react";

export type Fact = readonly [name: string, value: ReactNode, hint?: string | undefined];

/** Names with their values, side by side. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="facts">
      {facts.map(([name, value, hint]) => (
        <div key={name} className="fact">
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
