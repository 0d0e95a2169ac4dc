import { useMutation } from "@tanstack/react-query";
import { useEffect } from "react";
import type { LoginState } from "../../serve/tools/types.ts";
import { getJson } from "../api/http.ts";

const POLL_MS = 1500;

/** What a person has to log in to before its tools work. */
export function Logins({ logins, refetch }: { logins: readonly LoginState[]; refetch: () => unknown }) {
  const isPending = logins.some(({ state }) => state === "pending");
  useEffect(() => {
    if (!isPending) return;
    const timer = setInterval(refetch, POLL_MS);
    return () => clearInterval(timer);
  }, [isPending, refetch]);
  return (
    <>
      {logins.map((login) => (
        <LoginRow key={login.name} login={login} refetch={refetch} />
      ))}
    </>
  );
}

function LoginRow({ login, refetch }: { login: LoginState; refetch: () => unknown }) {
  const begin = useMutation({
    mutationFn: () =>
      getJson<{ url: string; code?: string }>(`api/logins/${encodeURIComponent(login.name)}`, { body: {} }),
    onSettled: () => refetch(),
  });
  const isPending = login.state === "pending" && begin.data !== undefined;
  return (
    <div className="load-error" role="status">
      <p>
        <bdi>{login.name}</bdi> needs a login.
      </p>
      {login.message !== undefined && !begin.isPending && <p>{login.message}</p>}
      {isPending ? (
        <p>
          <a href={begin.data.url} target="_blank" rel="noreferrer noopener">
            Open the login page
          </a>
          {begin.data.code !== undefined && (
            <>
              {" "}
              and compare the code <strong>{begin.data.code}</strong>
            </>
          )}
          . Waiting for you to come back …
        </p>
      ) : (
        <button type="button" disabled={begin.isPending} onClick={() => begin.mutate()}>
          Log in to {login.name}
        </button>
      )}
    </div>
  );
}
