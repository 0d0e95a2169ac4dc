import type { ContentPart } from "../../../serve/tools/servers/types.ts";
import { formatNumber, plural } from "../../parts/format.ts";
import { VisibleText } from "../../parts/text/visible-text.tsx";
import { Content } from "../result-view.tsx";

/** What was read or said, part by part, and what is missing of it. */
export function Contents<Part extends ContentPart>({
  parts,
  omitted = 0,
  what,
  titleOf,
  hrefOf,
}: {
  parts: readonly Part[];
  omitted: number | undefined;
  /** What one of them is. */
  what: string;
  /** What stands above a part. Default: nothing. */
  titleOf: (part: Part) => string | undefined;
  /** Where the page shows a resource that is linked to. Default: nowhere. */
  hrefOf?: (uri: string) => string;
}) {
  return (
    <>
      {parts.map((part, index) => {
        const title = titleOf(part);
        return (
          <article key={index} className="content-part" aria-label={`${what} ${index + 1}`}>
            {title !== undefined && (
              <p className="content-title">
                <VisibleText text={title} />
              </p>
            )}
            <Content item={part.item} hrefOf={hrefOf} alt={`Picture of ${what} ${index + 1}`} />
            {part.omitted_chars !== undefined && (
              <p className="warning">
                {formatNumber(part.omitted_chars)} characters are not here: together it is more than 12
                million.
              </p>
            )}
          </article>
        );
      })}
      {omitted > 0 && <p className="warning">{plural(omitted, `more ${what}`)} that are not shown.</p>}
    </>
  );
}
