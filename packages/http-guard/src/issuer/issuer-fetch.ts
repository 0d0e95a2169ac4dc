/** Bytes of metadata, keys or an introspection response. */
const MAX_BYTES = 512 * 1024;
const TIMEOUT_MS = 5000;

/** Requests to the issuer: no redirects, a deadline, and a limit on what it responds with. */
export async function issuerFetch(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, {
    ...init,
    redirect: "error",
    signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(init.signal ? [init.signal] : [])]),
  });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`the response of ${new URL(url).origin} is too large`);
    chunks.push(chunk);
  }
  return new Response(Buffer.concat(chunks), { status: response.status, headers: response.headers });
}
