import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { PromptPage, PromptResponse, PromptSummary } from "../../../serve/tools/servers/types.ts";
import { getJson } from "../../api/http.ts";
import { formatDuration, plural } from "../../parts/format.ts";
import { ErrorPanel, StatePanel } from "../../parts/state-panel.tsx";
import { VisibleText } from "../../parts/text/visible-text.tsx";
import { AskingState, useAsking } from "../input/use-asking.tsx";
import { ArgumentForm } from "./argument-form.tsx";
import { ContentList } from "./content-list.tsx";
import { Contents } from "./contents.tsx";
import { CopyButton } from "./copy-button.tsx";
import { type Place, resourceHrefOf, sourcePath } from "./place.ts";

/** The prompts of a source, one of them open. */
export function Prompts({ place, open }: { place: Place; open: string | undefined }) {
  const [chosen, setChosen] = useState<string>();
  return (
    <ContentList<"prompts", PromptSummary>
      place={place}
      kind="prompts"
      open={open}
      keyOf={({ name }) => name}
      about={({ description = "" }) => description}
      badge={({ arguments: declared }) =>
        declared.length === 0 ? undefined : plural(declared.length, "argument")
      }
      onChoose={setChosen}
    >
      {open === undefined ? (
        <StatePanel kind="empty" title="Choose a prompt to see its messages." />
      ) : (
        <PromptDetail key={open} place={place} name={open} isChosen={chosen === open} />
      )}
    </ContentList>
  );
}

function PromptDetail({ place, name, isChosen }: { place: Place; name: string; isChosen: boolean }) {
  const listed = useQuery({
    queryKey: ["prompts", place.source, "one", name],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ name });
      return (
        (await getJson<PromptPage>(`${sourcePath(place.source, "prompts")}?${query}`, { signal }))
          .prompts[0] ?? null
      );
    },
    retry: false,
  });
  if (listed.isError) return <ErrorPanel error={listed.error} retry={() => listed.refetch()} />;
  if (listed.isPending) return <StatePanel kind="loading" title="Loading the prompt…" />;
  return (
    <>
      <a className="back" href={`${place.href}/prompts`}>
        ‹ All prompts
      </a>
      <h1 className="tool-title">
        <VisibleText text={listed.data?.title ?? name} />
      </h1>
      {listed.data === null ? (
        <StatePanel kind="empty" title="There is no such prompt, or there is none any more." />
      ) : (
        <Prompt place={place} prompt={listed.data} isChosen={isChosen} />
      )}
    </>
  );
}

function Prompt({ place, prompt, isChosen }: { place: Place; prompt: PromptSummary; isChosen: boolean }) {
  const { name, title, description, arguments: declared, omitted_arguments, is_cut } = prompt;
  const asking = useAsking<{ name: string; arguments: Readonly<Record<string, string>> }, PromptResponse>(
    sourcePath(place.source, "prompt"),
  );
  const isReady = isChosen && declared.length === 0 && !is_cut;
  useEffect(() => {
    if (isReady) asking.mutate({ name, arguments: {} });
  }, [isReady]);
  return (
    <>
      {title !== undefined && (
        <p className="mono">
          <VisibleText text={name} />
        </p>
      )}
      {description && (
        <p className="text">
          <VisibleText text={description} />
        </p>
      )}
      {omitted_arguments !== undefined && (
        <p className="warning">{plural(omitted_arguments, "more argument")} that cannot be filled in here.</p>
      )}
      {is_cut ? (
        <p className="warning">The name is too long to be asked for from this page.</p>
      ) : (
        <ArgumentForm
          place={place}
          of={{ prompt: name }}
          argumentsOf={declared}
          action="Get the messages"
          isAsking={asking.isPending}
          onSubmit={(values) => asking.mutate({ name, arguments: values })}
          onCancel={asking.cancel}
        />
      )}
      <p role="status" className="visually-hidden">
        {asking.data && `Done: ${plural(asking.data.messages.length, "message")}.`}
      </p>
      <AskingState asking={asking} pending="Asking for the messages…" cancelled="It was cancelled." />
      {asking.data && <Messages place={place} response={asking.data} />}
    </>
  );
}

function Messages({ place, response }: { place: Place; response: PromptResponse }) {
  const { description, messages, omitted, duration_ms } = response;
  return (
    <section className="card result" aria-label="Messages">
      <div className="row spread result-head">
        <h2>
          Messages <span className="muted">{formatDuration(duration_ms)}</span>
        </h2>
        <CopyButton
          what="messages as JSON"
          text={() =>
            JSON.stringify(
              messages.map(({ role, item }) => ({ role, content: item })),
              undefined,
              2,
            )
          }
        />
      </div>
      {description && (
        <p className="text">
          <VisibleText text={description} />
        </p>
      )}
      {messages.length === 0 && <p className="muted">The prompt is empty: it has no messages.</p>}
      <Contents
        parts={messages}
        omitted={omitted}
        what="message"
        titleOf={({ role }) => role}
        hrefOf={resourceHrefOf(place.href)}
      />
    </section>
  );
}
