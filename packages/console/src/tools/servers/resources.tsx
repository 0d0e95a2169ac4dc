import { type FormEvent, useState } from "react";
import type { ResourceSummary } from "../../../serve/tools/servers/types.ts";
import { formatTime, plural } from "../../parts/format.ts";
import { StatePanel } from "../../parts/state-panel.tsx";
import { VisibleText } from "../../parts/text/visible-text.tsx";
import { navigate } from "../../router.ts";
import { ContentList } from "./content-list.tsx";
import { type Place, resourceHrefOf, segment } from "./place.ts";
import { ResourceDetail } from "./resource-detail.tsx";
import type { ServerFeed } from "./use-server.ts";

/** The resources of a source and its templates, one of them open. */
export function Resources({
  place,
  open,
  feed,
}: {
  place: Place;
  open: string | undefined;
  feed?: ServerFeed;
}) {
  const [chosen, setChosen] = useState<string>();
  return (
    <ContentList<"resources", ResourceSummary>
      place={place}
      kind="resources"
      open={open}
      keyOf={({ uri }) => uri}
      about={({ uri }) => uri}
      badge={({ is_template, mime_type }) => (is_template ? "template" : mime_type)}
      onChoose={setChosen}
      below={
        place.source !== "main" &&
        place.offers.resources && (
          <>
            <OtherAddress place={place} onChoose={setChosen} />
            {feed && <Watched place={place} feed={feed} />}
          </>
        )
      }
    >
      {open === undefined ? (
        <StatePanel kind="empty" title="Choose a resource to read it, or a template to fill it in." />
      ) : (
        <ResourceDetail key={open} place={place} uri={open} isChosen={chosen === open} feed={feed} />
      )}
    </ContentList>
  );
}

/** What is watched, until the page of the server is left. */
function Watched({ place, feed: { watched, updates } }: { place: Place; feed: ServerFeed }) {
  if (watched.length === 0) return null;
  return (
    <section aria-labelledby="watched-title" className="watched">
      <h3 id="watched-title">Watched ({watched.length})</h3>
      <ul className="plain-list">
        {watched.map((uri) => {
          const update = updates.get(uri);
          return (
            <li key={uri}>
              <a href={resourceHrefOf(place.href)(uri)}>
                <VisibleText text={uri} />
              </a>{" "}
              <span className="muted">
                {update && `changed ${plural(update.count, "time")}, last at ${formatTime(update.at)}`}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Servers may have resources that they do not list. */
function OtherAddress({ place, onChoose }: { place: Place; onChoose: (uri: string) => void }) {
  const [uri, setUri] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (uri.trim() === "") return;
    onChoose(uri.trim());
    navigate(`${place.href}/resources/${segment(uri.trim())}`);
  };
  return (
    <form onSubmit={submit} className="row other-address">
      <label className="grow">
        <span className="visually-hidden">Address of a resource that is not listed</span>
        <input
          placeholder="Another address"
          autoComplete="off"
          spellCheck={false}
          value={uri}
          onChange={({ target }) => setUri(target.value)}
        />
      </label>
      <button type="submit">Open</button>
    </form>
  );
}
