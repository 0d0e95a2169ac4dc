import type { Requirements } from "./requirements.ts";

export default {
  "G-body": "A JSON body is read up to a limit of bytes and depth, and nothing else is accepted",
  "G-host": "A request is served only under the server's own host names, against DNS rebinding",
  "G-listen": "A server that cannot listen says why",
  "G-loopback": "This machine is known by every way to write its address",
  "G-network": "An IPv6 client is known by its /64, and IPv4 in IPv6 as IPv4",
  "G-origin": "Requests from web pages of other origins are refused unless the origin is allowed",
  "G-rate": "Each client has a token bucket, and the number of tracked clients is bounded",
  "G-token": "Where a token is set, a request without it is refused",
} satisfies Requirements;
