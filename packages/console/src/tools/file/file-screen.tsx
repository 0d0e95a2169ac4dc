import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { FileState } from "../../../serve/tools/types.ts";
import { ApiError, getJson } from "../../api/http.ts";
import { ErrorPanel, StatePanel } from "../../parts/state-panel.tsx";
import { useTitle } from "../../parts/use-title.ts";
import { useToolEvents } from "../use-tool-events.ts";
import { FileEditor } from "./file-editor.tsx";

/** The file, with its problems at their lines as one types. Saved only on request. */
export default function FileScreen() {
  useToolEvents();
  useTitle("File");
  const file = useQuery({ queryKey: ["file"], queryFn: () => getJson<FileState>("api/file"), retry: false });
  // The version that is edited; what is on disk may be newer. Each opening gets an editor of its own.
  const [opened, setOpened] = useState<{ base: FileState; revision: number; isSaved: boolean }>();
  useEffect(() => {
    if (file.data && opened === undefined) setOpened({ base: file.data, revision: 0, isSaved: false });
  }, [file.data, opened]);
  if (!opened)
    return (
      <>
        <h1>File</h1>
        {file.isError ? (
          <ErrorPanel error={file.error} retry={() => file.refetch()} />
        ) : (
          <StatePanel kind="loading" title="Loading the file…" />
        )}
      </>
    );
  const isMissing = file.error instanceof ApiError && file.error.code === "file_missing";
  return (
    <FileEditor
      key={opened.revision}
      base={opened.base}
      isSaved={opened.isSaved}
      onDisk={isMissing ? undefined : file.data}
      isMissing={isMissing}
      onOpen={(base) => setOpened({ base, revision: opened.revision + 1, isSaved: false })}
      onSaved={(base) => setOpened({ ...opened, base, isSaved: true })}
    />
  );
}
