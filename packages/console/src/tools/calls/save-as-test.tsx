import { useMutation, useQuery } from "@tanstack/react-query";
import type { CallDetail, SavedTests, ToolPage } from "../../../serve/tools/types.ts";
import { getJson } from "../../api/http.ts";
import { download } from "../../parts/download.ts";
import { plural } from "../../parts/format.ts";
import { ErrorPanel } from "../../parts/state-panel.tsx";

/** A call that is over, as a test: in the file of tests where the page may write it, else as a file for Node's own runner. */
export function SaveAsTest({
  call,
  className = "quiet",
}: {
  call: Pick<CallDetail, "id" | "tool" | "input" | "result">;
  /** The class of the button. Default: quiet. */
  className?: string;
}) {
  const project = useProject();
  const save = useMutation({
    mutationFn: () => getJson<SavedTests>(`api/calls/${call.id}/test`, { body: {} }),
  });
  const onClick = () => {
    if (project?.writable) save.mutate();
    else download(`${call.tool}.test.mts`, asTest(call, project?.file ?? "mci.json"), "text/plain");
  };
  return (
    <>
      <button type="button" className={className} disabled={project === undefined} onClick={onClick}>
        Save as test
      </button>
      <span role="status" className="muted">
        {save.data &&
          `Saved in ${save.data.path.split(/[/\\]/).at(-1)}, which has ${plural(save.data.tests, "test")}.`}
      </span>
      {save.isError && <ErrorPanel error={save.error} />}
    </>
  );
}

/** The file of the tools, and whether the page may write beside it. */
export function useProject(): Pick<ToolPage, "file" | "writable"> | undefined {
  return useQuery({
    queryKey: ["tools", "", "", "", "file"],
    queryFn: () => getJson<ToolPage>("api/tools?q="),
    select: ({ file, writable }) => ({ file, writable }),
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
}

/**
 * A call as a test for Node's own runner: the same tool with the same input gives the same again. What changes from call to call (times,
 * metadata) is not compared.
 */
function asTest(
  { tool, input, result }: Pick<CallDetail, "tool" | "input" | "result">,
  file: string,
): string {
  const isStructured = result?.structuredContent !== undefined;
  const field = isStructured ? "structuredContent" : "content";
  const expected = {
    isError: result?.isError ?? false,
    [field]: (isStructured ? result?.structuredContent : result?.content) ?? [],
  };
  return `import assert from "node:assert/strict";
import { after, test } from "node:test";
import { MCIClient } from "mci-ts";

// Recorded in the console. Run it with: node --test
const client = await MCIClient.load(${literal(file)}, { env: process.env });
after(() => client.close());

test(${literal(`${tool} responds as it did when this was recorded`)}, async () => {
  const { isError, ${field} } = await client.call(${literal(tool)}, ${literal(input)});
  assert.deepEqual(JSON.parse(JSON.stringify({ isError, ${field} })), ${literal(expected)});
});
`;
}

function literal(value: unknown): string {
  return JSON.stringify(value, undefined, 2) ?? "undefined";
}
