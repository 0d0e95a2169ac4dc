import { ApiError, getJson, setToken } from "./http.ts";

/** How this page logs in; without `client_id` the service takes a token only. */
export interface LoginSettings {
  readonly issuer?: string;
  readonly authorization_endpoint?: string;
  readonly client_id?: string;
  readonly resource?: string;
  readonly scope?: string;
}

const PENDING_KEY = "mci-console-login";

interface PendingLogin {
  readonly state: string;
  readonly verifier: string;
  readonly issuer: string;
  readonly redirect: string;
  /** Where in the console the login began. */
  readonly hash: string;
}

export function readLoginSettings(): Promise<LoginSettings> {
  return getJson<LoginSettings>("console/login.json").catch(() => ({}));
}

/** Leaves for the login page of the issuer: authorization code with PKCE. What is needed to come back stays in this tab. */
export async function beginLogin(settings: LoginSettings): Promise<void> {
  const [state, verifier] = [randomText(), randomText()];
  const redirect = `${location.origin}${location.pathname}`;
  const pending: PendingLogin = { state, verifier, issuer: settings.issuer!, redirect, hash: location.hash };
  sessionStorage.setItem(PENDING_KEY, JSON.stringify(pending));
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  const address = new URL(settings.authorization_endpoint!);
  const parameters = {
    response_type: "code",
    client_id: settings.client_id!,
    redirect_uri: redirect,
    state,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: "S256",
    resource: settings.resource ?? "",
    scope: settings.scope ?? "",
  };
  for (const [name, value] of Object.entries(parameters))
    if (value !== "") address.searchParams.set(name, value);
  location.assign(address);
}

/** What went wrong with a login that came back; undefined: nothing, or there was none. */
export let loginProblem: string | undefined;

/** Ends a login where the browser came back from one. The code is removed from the address at once, whatever it is worth. */
export async function finishLogin(): Promise<void> {
  const answer = new URLSearchParams(location.search);
  const state = answer.get("state");
  if (state === null || !(answer.has("code") || answer.has("error"))) return;
  const pending = JSON.parse(sessionStorage.getItem(PENDING_KEY) ?? "null") as PendingLogin | null;
  sessionStorage.removeItem(PENDING_KEY);
  history.replaceState(null, "", `${location.pathname}${pending?.hash ?? "#/"}`);
  loginProblem = await exchange(answer, state, pending);
}

async function exchange(
  answer: URLSearchParams,
  state: string,
  pending: PendingLogin | null,
): Promise<string | undefined> {
  if (pending === null || pending.state !== state) return "The answer is from another login. Log in again.";
  const iss = answer.get("iss");
  if (iss !== null && iss !== pending.issuer) return "The answer is from another issuer. Log in again.";
  const code = answer.get("code");
  if (code === null) return `The login was refused: ${answer.get("error")?.slice(0, 100)}`;
  try {
    const body = { code, code_verifier: pending.verifier, redirect_uri: pending.redirect };
    setToken((await getJson<{ access_token: string }>("console/login", { body })).access_token);
    return undefined;
  } catch (error) {
    return error instanceof ApiError ? error.message : "The login failed.";
  }
}

function randomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
