import { useQuery } from "@tanstack/react-query";
import type { ServerList } from "../../../serve/tools/servers/types.ts";
import { getJson } from "../../api/http.ts";
import { StatePanel } from "../../parts/state-panel.tsx";
import { useTitle } from "../../parts/use-title.ts";
import { useToolEvents } from "../use-tool-events.ts";
import { FILE } from "./place.ts";
import { Prompts } from "./prompts.tsx";
import { Resources } from "./resources.tsx";
import "../../styles/servers.css";

/** The resources and prompts of the file itself: `#/content/resources`, `#/content/prompts`. */
export function ContentScreen({ path: [part = "resources", open] }: { path: readonly string[] }) {
  useToolEvents();
  useTitle(`The file: ${part}`);
  const servers = useQuery({ queryKey: ["servers"], queryFn: () => getJson<ServerList>("api/servers") });
  const own = servers.data?.own;
  const Heading = open === undefined ? "h1" : "h2";
  const parts = [
    ["resources", `Resources${own ? ` (${own.resources + own.templates})` : ""}`],
    ["prompts", `Prompts${own ? ` (${own.prompts})` : ""}`],
  ] as const;
  return (
    <>
      <Heading key={part}>What the file offers besides tools</Heading>
      <nav className="row server-parts" aria-label="Parts of the file">
        {parts.map(([path, label]) => (
          <a
            key={path}
            className="button"
            href={`${FILE.href}/${path}`}
            aria-current={path === part ? "page" : undefined}
          >
            {label}
          </a>
        ))}
      </nav>
      {part === "resources" ? (
        <Resources place={FILE} open={open} />
      ) : part === "prompts" ? (
        <Prompts place={FILE} open={open} />
      ) : (
        <StatePanel kind="empty" title="There is no such part of the file." />
      )}
    </>
  );
}
