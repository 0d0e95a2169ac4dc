import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { ConsoleParts } from "../../../serve/tools/types.ts";
import { ApiError, getJson, setToken } from "../../api/http.ts";
import { beginLogin, loginProblem, readLoginSettings } from "../../api/issuer-login.ts";

/** Shows the screens to those who may see them: asks for the token of a service, or says how to open `mci ui` again. */
export function TokenGate({ parts, children }: { parts: ConsoleParts; children: ReactNode }) {
  const access = useQuery({
    queryKey: ["access"],
    queryFn: () => getJson(parts.council ? "runs?limit=1" : "api/calls"),
    retry: false,
  });
  if (!(access.error instanceof ApiError && access.error.status === 401)) return children;
  if (!parts.council) {
    return (
      <div className="card token">
        <h1>This tab has no access</h1>
        <p role="alert">{access.error.message}</p>
        <p>
          The address of <code>mci ui</code> works once, and only while the command runs. Start it again if it
          has ended.
        </p>
      </div>
    );
  }
  return <TokenForm message={access.error.message} busy={access.isFetching} retry={() => access.refetch()} />;
}

/** What a program is to send is done here by the form. */
const forPeople = (message: string) => message.replace(/: send .*/s, ".");

function TokenForm({ message, busy, retry }: { message: string; busy: boolean; retry: () => void }) {
  const [typed, setTyped] = useState("");
  const login = useQuery({ queryKey: ["login"], queryFn: readLoginSettings, retry: false });
  const settings = login.data?.client_id === undefined ? undefined : login.data;
  return (
    <form
      className="card token"
      onSubmit={(event) => {
        event.preventDefault();
        setToken(typed.trim());
        retry();
      }}
    >
      <h1>{settings ? "Log in" : "This service wants a token"}</h1>
      <p role="alert" className={/wrong/.test(message) ? "error-text" : undefined}>
        {loginProblem ?? forPeople(message)}
      </p>
      {settings && (
        <>
          <button type="button" className="primary" onClick={() => void beginLogin(settings)}>
            Log in at {new URL(settings.issuer!).host}
          </button>
          <p>Or with a token:</p>
        </>
      )}
      <label>
        Token
        <input
          type="password"
          autoComplete="off"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <small>
          The value of <code>MCI_TOKEN</code>. It stays in this tab.
        </small>
      </label>
      <button type="submit" className="primary" disabled={busy || typed.trim() === ""}>
        Continue
      </button>
    </form>
  );
}
