import * as fc from "fast-check";
import * as oauth from "oauth4webapi";
import { accountOf } from "./account.ts";
import { requireBrowserAddress } from "./browser-address.ts";
import { missingScope } from "./scopes.ts";

const ISSUER = "https://auth.example.com";

/** Addresses as a hostile server would write them into its metadata. */
const address = fc.oneof(
  fc.constantFrom(
    ...[
      "https://auth.example.com/a",
      "http://auth.example.com/a",
      "http://127.0.0.1/",
      "https://[::1]/",
      "javascript:alert(1)",
    ],
    ...[
      "file:///etc/passwd",
      "HTTPS://AUTH.EXAMPLE.COM",
      "https://auth.example.com@evil.example/",
      "//evil.example",
      "",
    ],
    ...[
      "http://localhost.evil.example/",
      "http://127.0.0.1.evil.example/",
      "data:text/html,x",
      "ms-word:x",
      "http://0x7f.1/",
    ],
  ),
  fc.webUrl({
    validSchemes: ["http", "https", "ftp", "file"],
    withFragments: true,
    withQueryParameters: true,
  }),
  fc.string({ maxLength: 30 }),
);
const anything = fc.oneof(address, fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<unknown>);

/** Documents near the real ones: each field is right, hostile, of another kind, or missing. */
const metadata = fc.record(
  {
    issuer: fc.oneof({ weight: 2, arbitrary: fc.constant(ISSUER) }, anything),
    authorization_endpoint: anything,
    token_endpoint: anything,
    device_authorization_endpoint: anything,
    registration_endpoint: anything,
    token_endpoint_auth_methods_supported: fc.oneof(
      fc.array(fc.string({ maxLength: 10 }), { maxLength: 3 }),
      anything,
    ),
    code_challenge_methods_supported: anything,
    authorization_response_iss_parameter_supported: anything,
    __proto__: anything,
  },
  { requiredKeys: [] },
);

/** Challenges near the real ones: parts of the grammar in any order, quotes that never close, other schemes. */
const challenge = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...[
          "Bearer ",
          "Basic ",
          "DPoP ",
          'realm="a"',
          'error="insufficient_scope"',
          "error=insufficient_scope",
          'error="invalid_token"',
        ],
        ...[
          'scope="a b"',
          "scope=a",
          'scope="',
          'scope=""',
          'scope="a\\"b"',
          'resource_metadata="https://a.example/"',
          ", ",
          " ",
          "=",
          '"',
        ],
      ),
      fc.string({ maxLength: 8 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

const SCOPES = /^[\x21\x23-\x5B\x5D-\x7E]+( [\x21\x23-\x5B\x5D-\x7E]+)*$/;

export default [
  {
    name: "logins: metadata of an API's issuer is that issuer's, or refused",
    property: fc.asyncProperty(metadata, async (document) => {
      const response = new Response(JSON.stringify(document), {
        headers: { "content-type": "application/json" },
      });
      try {
        // Two spellings of one address are one issuer.
        const { issuer } = await oauth.processDiscoveryResponse(new URL(ISSUER), response);
        return new URL(issuer).href === new URL(ISSUER).href;
      } catch (error) {
        return error instanceof Error;
      }
    }),
  },
  {
    name: "logins: a browser is sent to https, or to this machine",
    property: fc.property(address, (text) => {
      const url = URL.parse(text);
      if (url === null) return true;
      try {
        requireBrowserAddress(url);
      } catch {
        return true;
      }
      return url.protocol === "https:" || ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
    }),
  },
  {
    name: "logins: the scope of any challenge is a list of scopes, or none",
    property: fc.property(challenge, (text) => {
      const scope = missingScope(text);
      return scope === undefined || scope === "" || SCOPES.test(scope);
    }),
  },
  {
    name: "logins: who logged in is a short text of any ID token, or not known",
    property: fc.property(fc.oneof(fc.string(), fc.jsonValue().map(tokenOf)), (token) => {
      const account = accountOf(token);
      return account === undefined || (account.length > 0 && account.length <= 200);
    }),
  },
];

function tokenOf(payload: unknown): string {
  return `x.${Buffer.from(JSON.stringify(payload)).toString("base64url")}.x`;
}
