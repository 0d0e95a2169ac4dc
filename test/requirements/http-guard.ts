import type { Requirements } from "./requirements.ts";

export default {
  "G-body": "A JSON body is read up to a limit of bytes and depth, and nothing else is accepted",
  "G-host": "A request is served only under the server's own host names, against DNS rebinding",
  "G-issuer":
    "Behind an issuer a request needs its token: signed by its present keys, for this audience, at this time; who refuses says why",
  "G-listen": "A server that cannot listen says why",
  "G-loopback": "This machine is known by every way to write its address",
  "G-network": "An IPv6 client is known by its /64, and IPv4 in IPv6 as IPv4",
  "G-origin": "Requests from web pages of other origins are refused unless the origin is allowed",
  "G-rate": "Each client has a token bucket, and the number of tracked clients is bounded",
  "G-token": "Where a token is set, a request without it is refused",
  "P-batch": "A batch of very many MCP messages is refused before one of them is looked at",
  "P-json": "A response of MCP is plain JSON unless messages come before the result",
  "P-keep-alive":
    "A call that takes long becomes a stream with keep-alive comments, and can still be given up",
  "P-oversized": "A message over the limit is refused with its id, and the messages after it are read",
  "P-param-headers": "Mcp-Param headers that differ from the arguments are refused",
  "P-priming": "A stream of notifications can be resumed: it begins with an id, and says when to come back",
  "P-sessions": "A session is an id without state: nothing is evicted, and it cancels its own calls only",
  "P-streams": "Open streams are bounded in total and per client",
  "G-slow": "Clients that send or read slowly are disconnected, and never keep others out",
} satisfies Requirements;
