import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import type { LogMessage, ServerDetail, ServerEvents } from "../../../serve/tools/servers/types.ts";
import { followEvents } from "../../api/events.ts";
import { getJson } from "../../api/http.ts";
import { serverPath } from "./place.ts";

/** Log messages in the page; the server of the page remembers as many. */
const MAX_MESSAGES = 500;
/** The API takes no more. */
export const MAX_WATCHED = 50;

/** When a watched resource changed last, and how often since it is watched. */
export interface Update {
  readonly at: string;
  readonly count: number;
}

export interface ServerFeed {
  /** Oldest first. */
  readonly log: readonly LogMessage[];
  readonly updates: ReadonlyMap<string, Update>;
  /** The addresses that are watched, or why they are not. Absent until the server has said so. */
  readonly watching?: ServerEvents["watching"];
  /** The lists that changed last. */
  readonly changed?: ServerEvents["changed"] & { readonly at: string };
  readonly watched: readonly string[];
  readonly watch: (uri: string, isWatched: boolean) => void;
}

export function useServer(name: string) {
  return useQuery({
    queryKey: ["server", name],
    queryFn: () => getJson<ServerDetail>(serverPath(name)),
    // What it prints, and that it has ended, arrives without an event.
    refetchInterval: 2000,
    retry: false,
  });
}

const NOTHING: Pick<ServerFeed, "log" | "updates"> = { log: [], updates: new Map() };
type State = Omit<ServerFeed, "watched" | "watch">;

/** Follows a server while its page is open: its log, its lists, and the resources that the person watches. */
export function useServerFeed(name: string): ServerFeed {
  const queries = useQueryClient();
  const [watched, setWatched] = useState<readonly string[]>([]);
  const [state, setState] = useState<State>(NOTHING);
  /** A stream ends when it is cut, and when another resource is watched. */
  const isAgain = useRef(false);
  useEffect(() => {
    const controller = new AbortController();
    let isFirst = true;
    const refresh = (keys: readonly string[]) => {
      for (const key of keys) queries.invalidateQueries({ queryKey: [key] });
    };
    const handlers: { readonly [Type in keyof ServerEvents]: (data: ServerEvents[Type]) => void } = {
      log({ messages }) {
        // The first event has all that is remembered.
        const isAll = isFirst;
        isFirst = false;
        setState((before) => ({
          ...before,
          log: [...(isAll ? [] : before.log), ...messages].slice(-MAX_MESSAGES),
        }));
      },
      changed({ kinds }) {
        setState((before) => ({ ...before, changed: { kinds, at: new Date().toISOString() } }));
        refresh(["server", "servers", ...kinds, ...(kinds.includes("tools") ? ["tool"] : [])]);
      },
      watching: (watching) => setState((before) => ({ ...before, watching })),
      updated({ uris, at }) {
        setState((before) => {
          const updates = new Map(before.updates);
          for (const uri of uris) updates.set(uri, { at, count: (updates.get(uri)?.count ?? 0) + 1 });
          return { ...before, updates };
        });
      },
      tools: () => refresh(["server", "servers", "tools", "tool", "resources", "prompts"]),
    };
    followEvents(serverPath(name, "events"), {
      signal: controller.signal,
      body: { watch: watched },
      isLast: () => false,
      onState: (next) => {
        if (next !== "open") return;
        isFirst = true;
        // What happened between two streams is not sent again.
        if (isAgain.current) handlers.tools({});
        isAgain.current = true;
      },
      onEvent: ({ type, data }) => {
        if (Object.hasOwn(handlers, type))
          (handlers[type as keyof ServerEvents] as (data: unknown) => void)(JSON.parse(data));
      },
    }).catch(() => {});
    return () => controller.abort();
  }, [queries, name, watched]);
  const watch = useCallback((uri: string, isWatched: boolean) => {
    setWatched((before) => [...before.filter((each) => each !== uri), ...(isWatched ? [uri] : [])]);
    setState(({ watching: _, updates, ...before }) => {
      const others = new Map(updates);
      others.delete(uri);
      return { ...before, updates: others };
    });
  }, []);
  return { ...state, watched, watch };
}
