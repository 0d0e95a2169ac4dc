import { useState } from "react";
import { plural } from "../format.ts";
import { segmentsOf } from "./hidden-characters.ts";

/** Characters of a text that are drawn before a person asks for all of them. */
const MAX_CHARS = 20_000;

/** A text of which nothing hides: what could not be seen is marked with its name. The end of a long one is shown as well. */
export function VisibleText({ text }: { text: string }) {
  const [isWhole, setIsWhole] = useState(false);
  if (text.length <= MAX_CHARS || isWhole) return <Marked text={text} />;
  const half = MAX_CHARS / 2;
  return (
    <>
      <Marked text={text.slice(0, half)} />
      <button type="button" className="quiet" onClick={() => setIsWhole(true)}>
        Show {plural(text.length - MAX_CHARS, "more character")}
      </button>
      <Marked text={text.slice(-half)} />
    </>
  );
}

function Marked({ text }: { text: string }) {
  return (
    <bdi>
      {segmentsOf(text).map((segment, index) =>
        segment.hidden === undefined ? (
          segment.text
        ) : (
          <mark key={index} className="hidden-character">
            {segment.hidden}
          </mark>
        ),
      )}
    </bdi>
  );
}
