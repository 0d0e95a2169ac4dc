import { Secrets } from "mci-ts/authoring";

/** Names of fields, and their values, that the page reads a call by: a variable that happens to hold one hides nothing. */
const OUR_WORDS = new Set(
  (
    "record id tool by console client started_at state running succeeded failed cancelled duration_ms input error detail request " +
    "exchanges dropped_exchanges result too_large attempt startedAt durationMs method url headers body bodyEncoding base64 response " +
    "status statusText size isCut content isError structuredContent metadata type text image audio resource resource_link data " +
    "mimeType uri blob name title http cli file mcp command args cwd env stdin path GET POST PUT PATCH DELETE HEAD"
  ).split(" "),
);

/** Masks the values of these variables, in any form they take, whatever a file says of them. */
export function maskVariables(
  values: Readonly<Record<string, string | undefined>>,
  names: Iterable<string>,
): <T>(value: T) => T {
  const secrets = new Secrets(OUR_WORDS);
  for (const name of names) secrets.add(values[name]);
  return (value) => secrets.mask(value);
}
