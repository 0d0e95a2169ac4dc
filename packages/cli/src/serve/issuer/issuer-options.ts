import type { ToolFilter } from "mci-ts";
import { usageError } from "../../cli-error.ts";
import { readFilters } from "../../project/filter.ts";

/** What `mci run --oauth-issuer` was given. */
export interface IssuerOptions {
  readonly issuer: string;
  readonly audience: string;
  /** Which tools each scope allows; undefined: every tool. Empty: every token allows every tool. */
  readonly scopes: ReadonlyMap<string, ToolFilter | undefined>;
  /** Claims that templates may read as `caller.claims`. */
  readonly claims: readonly string[];
  /** For tokens that are not JWTs. */
  readonly introspection?: { readonly clientId: string; readonly clientSecret: string };
}

interface Values {
  readonly "oauth-issuer"?: string | undefined;
  readonly audience?: string | undefined;
  readonly scope: readonly string[];
  readonly claim: readonly string[];
  readonly "introspection-client"?: string | undefined;
}

/** undefined: no issuer was given. */
export function readIssuer(
  values: Values,
  env: Readonly<Record<string, string | undefined>>,
): IssuerOptions | undefined {
  const { "oauth-issuer": issuer, audience, scope, claim, "introspection-client": clientId } = values;
  if (issuer === undefined) {
    const [stray] = [
      ...(audience === undefined ? [] : ["--audience"]),
      ...scope.map(() => "--scope"),
      ...claim.map(() => "--claim"),
      ...(clientId === undefined ? [] : ["--introspection-client"]),
    ];
    if (stray !== undefined) throw usageError(`${stray} is for --oauth-issuer.`, "Add --oauth-issuer URL.");
    return undefined;
  }
  if (!/^https?:$/.test(URL.parse(issuer)?.protocol ?? ""))
    throw usageError(
      `--oauth-issuer cannot be '${issuer}'.`,
      "Write its address, e.g. https://auth.example.com.",
    );
  if (!audience)
    throw usageError(
      "--oauth-issuer needs --audience.",
      "Write what tokens must be for, best the public address: --audience https://tools.example.com/mcp",
    );
  const clientSecret = env["MCI_INTROSPECTION_SECRET"];
  if (clientId !== undefined && !clientSecret)
    throw usageError(
      "--introspection-client needs a secret.",
      "Set MCI_INTROSPECTION_SECRET in the environment.",
    );
  return {
    issuer,
    audience,
    scopes: readScopes(scope),
    claims: claim,
    ...(clientId !== undefined && { introspection: { clientId, clientSecret: clientSecret! } }),
  };
}

/** `read=tags:read`; filters of one scope combine, and `*` is every tool. */
function readScopes(options: readonly string[]): Map<string, ToolFilter | undefined> {
  const byScope = new Map<string, string[]>();
  for (const option of options) {
    const [, scope, filter] = /^([\x21\x23-\x3C\x3E-\x5B\x5D-\x7E]+)=(.+)$/.exec(option) ?? [];
    if (scope === undefined)
      throw usageError(
        `--scope cannot be '${option}'.`,
        "Write a scope and the tools it allows: --scope read=tags:read, or --scope admin=*",
      );
    byScope.set(scope, [...(byScope.get(scope) ?? []), filter!]);
  }
  return new Map(
    [...byScope].map(([scope, filters]) => [scope, filters.includes("*") ? undefined : readFilters(filters)]),
  );
}
