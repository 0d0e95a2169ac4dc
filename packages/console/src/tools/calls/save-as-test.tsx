import type { CallDetail } from "../../../serve/tools/types.ts";
import { download } from "../../parts/download.ts";
import { asTest } from "./as-test.ts";

/** A call that is over, as a test for Node's own runner. */
export function SaveAsTest({
  call,
  file,
  className = "quiet",
}: {
  call: Pick<CallDetail, "tool" | "input" | "result">;
  file: string;
  /** Of the button. Default: quiet. */
  className?: string;
}) {
  return (
    <button
      type="button"
      className={className}
      title="For node --test"
      onClick={() => download(`${call.tool}.test.mts`, asTest(call, file), "text/plain")}
    >
      Save as test
    </button>
  );
}
