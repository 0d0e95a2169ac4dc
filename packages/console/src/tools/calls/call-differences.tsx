import { parseJson } from "@mci-ts/primitives/parse-json";
import type { CallDetail } from "../../../serve/tools/types.ts";
import { DiffView } from "../../parts/diff/diff-view.tsx";
import { formatWhen } from "../../parts/format.ts";

/** What differs between two calls: input, request, response. */
export function CallDifferences({ before, after }: { before: CallDetail; after: CallDetail }) {
  const parts = [
    ["Input", before.input, after.input],
    ["Request", requestOf(before), requestOf(after)],
    ["Result", resultOf(before), resultOf(after)],
  ] as const;
  return (
    <section className="card" aria-label="Differences">
      <h2>
        From call {before.id} ({formatWhen(before.started_at)}) to call {after.id} (
        {formatWhen(after.started_at)})
      </h2>
      {parts.map(([name, one, two]) => (
        <div key={name}>
          <h3>{name}</h3>
          <DiffView label={`Difference of ${name}`} before={textOf(one)} after={textOf(two)} />
        </div>
      ))}
    </section>
  );
}

function requestOf({ exchanges, request }: CallDetail): unknown {
  return exchanges.length > 0
    ? exchanges.map((each) => ({ ...each.request, status: each.response?.status ?? each.error }))
    : request;
}

/** A text that is JSON is compared by its fields. */
function resultOf({ result, error, state }: CallDetail): unknown {
  if (result === undefined) return error ?? state;
  if (result.structuredContent !== undefined) return result.structuredContent;
  return result.content.map((item) => (item.type === "text" ? parsed(item.text) : item));
}

function parsed(text: string): unknown {
  return parseJson(text) ?? (text.includes("\n") ? text.split("\n") : text);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value, undefined, 2) ?? "");
}
