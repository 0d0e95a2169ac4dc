import type { ReactNode } from "react";

/** A table that scrolls by itself where it is too wide, with the keyboard, too. */
export function ScrollTable({
  label,
  columns,
  numeric = [],
  className = "",
  children,
}: {
  /** For screen readers. */
  label: string;
  columns: readonly string[];
  /** Those columns whose cells have the class `number`. */
  numeric?: readonly string[];
  className?: string;
  /** Its rows. */
  children: ReactNode;
}) {
  return (
    <div className={`scroll ${className}`} tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" className={numeric.includes(column) ? "number" : undefined}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
