import { isObject } from "@mci-ts/primitives/is-object";
import { Setting } from "../../template/setting.ts";
import { field, type JsonObject, listField, objectField } from "../json.ts";
import type { LeftOut } from "../left-out.ts";
import type { References } from "../read/references.ts";
import { variableName } from "./names.ts";
import {
  isBearerKey,
  type LoginEndpoints,
  loginFlowOf,
  type SchemeKind,
  schemeKindOf,
} from "./security-scheme.ts";
import type { Variables } from "./variables.ts";

/** What an execution needs to prove who it is. Two keys at once are an `auth` and a header. */
export interface Credentials {
  readonly auth?: JsonObject;
  readonly headers: Readonly<Record<string, Setting>>;
  readonly params: Readonly<Record<string, Setting>>;
  readonly cookies: Readonly<Record<string, Setting>>;
  /** Names of the parameters that carry them, as `header x-key`. */
  readonly carriers: ReadonlySet<string>;
}

/** `header`: one that no kind of `auth` makes. */
type Auth =
  | {
      readonly type: "apiKey";
      readonly in: "header" | "query" | "cookie";
      readonly name: string;
      readonly value: Setting;
    }
  | { readonly type: "header"; readonly name: string; readonly value: Setting }
  | { readonly type: "basic"; readonly username: Setting; readonly password: Setting }
  | { readonly type: "bearer"; readonly token: Setting }
  | {
      readonly type: "oauth2";
      readonly flow: "clientCredentials";
      readonly tokenUrl: string;
      readonly clientId: Setting;
      readonly clientSecret: Setting;
      readonly scopes?: readonly string[];
    }
  | ({
      readonly type: "oauth2";
      readonly flow: "authorizationCode" | "deviceCode";
      readonly clientId: Setting;
      readonly scopes?: readonly string[];
    } & LoginEndpoints);

type Warn = (message: string) => void;

const NONE: Credentials = { headers: {}, params: {}, cookies: {}, carriers: new Set() };

/** The security schemes of a document, and what an operation needs of them. */
export class Security {
  readonly #document: JsonObject;
  readonly #schemes: ReadonlyMap<string, JsonObject>;
  readonly #variables: Variables;
  /** A scheme or kind to use where there is a choice; see `ImportOptions.auth`. */
  readonly #preferred: string | undefined;
  readonly #suffixes = new Map<string, string>();
  readonly #leftOut: LeftOut | undefined;

  constructor(
    document: JsonObject,
    references: References,
    variables: Variables,
    preferred?: string,
    leftOut?: LeftOut,
  ) {
    this.#leftOut = leftOut;
    this.#document = document;
    this.#variables = variables;
    this.#preferred = preferred;
    const declared = Object.entries(objectField(objectField(document, "components"), "securitySchemes"));
    this.#schemes = new Map(declared.map(([name, scheme]) => [name, references.resolve(scheme) ?? {}]));
    this.#nameVariables();
  }

  get names(): string[] {
    return [...this.#schemes.keys()];
  }

  credentialsFor(operation: JsonObject, warn: Warn): Credentials {
    const wanted = this.#preferred;
    if (wanted === "none") return NONE;
    // An operation's own list replaces that of the document, even an empty one.
    const holder = field(operation, "security") === undefined ? this.#document : operation;
    const alternatives = listField(holder, "security").filter(isObject);
    const preferred = alternatives.find((names) => this.#canSatisfy(names) && this.#isPreferred(names));
    if (preferred !== undefined) return this.#combine(preferred, warn);
    const forced = wanted === undefined ? undefined : this.#forced(wanted, warn);
    if (forced !== undefined) return forced;
    if (alternatives.length === 0) return NONE;
    const chosen = alternatives.find((names) => this.#canSatisfy(names));
    if (chosen !== undefined) {
      for (const other of alternatives)
        if (other !== chosen && Object.keys(other).length > 0)
          this.#leftOut?.add("authentication", Object.keys(other).join(" and "));
      return this.#combine(chosen, warn);
    }
    const names = [...new Set(alternatives.flatMap((names) => Object.keys(names)))];
    warn(`needs ${names.join(" or ")}, which has no counterpart in MCI; the request is sent without it`);
    return NONE;
  }

  /** The user named the scheme, or its kind. */
  #isPreferred(requirement: JsonObject): boolean {
    return Object.keys(requirement).some((name) => {
      const scheme = this.#schemes.get(name);
      const isKind = scheme?.type === this.#preferred || (scheme && schemeKindOf(scheme) === this.#preferred);
      return name === this.#preferred || isKind;
    });
  }

  /** Documents often do not say how to prove who one is. */
  #forced(wanted: string, warn: Warn): Credentials | undefined {
    if (this.#schemes.has(wanted)) return this.#combine({ [wanted]: [] }, warn);
    const secret = (suffix: string, what: string) =>
      this.#variables.secret(this.#variables.name(suffix), what);
    if (wanted === "bearer")
      return { ...NONE, auth: { type: "bearer", token: secret("TOKEN", "Access token") } };
    if (wanted === "basic") {
      const [username, password] = [secret("USERNAME", "User name"), secret("PASSWORD", "Password")];
      return { ...NONE, auth: { type: "basic", username, password } };
    }
    const [, place, name] = /^apiKey:(header|query|cookie):(.+)$/.exec(wanted) ?? [];
    if (place === undefined) return undefined;
    const auth = { type: "apiKey", in: place, name, value: secret("API_KEY", "API key") };
    return { ...NONE, auth, carriers: new Set([`${place} ${name!.toLowerCase()}`]) };
  }

  #canSatisfy(requirement: JsonObject): boolean {
    return Object.keys(requirement).every((name) => {
      const scheme = this.#schemes.get(name);
      return scheme !== undefined && schemeKindOf(scheme) !== undefined;
    });
  }

  /** All schemes of one alternative are needed together; `auth` takes one, the others are plain headers and the like. */
  #combine(requirement: JsonObject, warn: Warn): Credentials {
    const headers: Record<string, Setting> = {};
    const params: Record<string, Setting> = {};
    const cookies: Record<string, Setting> = {};
    const carriers = new Set<string>();
    let auth: Auth | undefined;
    for (const [name, scopes] of Object.entries(requirement)) {
      const next = this.#auth(name, Array.isArray(scopes) ? scopes : []);
      if (next.type === "apiKey") carriers.add(`${next.in} ${next.name.toLowerCase()}`);
      if (next.type === "header") headers[next.name] = next.value;
      else if (auth === undefined) auth = next;
      else if (next.type === "apiKey") {
        const place = next.in === "header" ? headers : next.in === "query" ? params : cookies;
        place[next.name] = next.value;
      } else if (auth.type === "apiKey") {
        const place = auth.in === "header" ? headers : auth.in === "query" ? params : cookies;
        place[auth.name] = auth.value;
        auth = next;
      } else {
        warn(
          `needs ${Object.keys(requirement).join(" and ")} at once, but one Authorization header holds one of them; '${name}' is left out`,
        );
      }
    }
    return { auth, headers, params, cookies, carriers };
  }

  #auth(name: string, scopes: readonly unknown[]): Auth {
    const scheme = this.#schemes.get(name)!;
    const secret = (suffix: string, what: string) =>
      this.#variables.secret(this.#variables.name(suffix), `${what} (security scheme '${name}')`);
    const suffix = this.#suffixes.get(name)!;
    switch (schemeKindOf(scheme)!) {
      case "apiKey":
        if (isBearerKey(name, scheme)) return { type: "bearer", token: secret(suffix, "Access token") };
        return {
          type: "apiKey",
          in: scheme.in as "header",
          name: String(scheme.name),
          value: secret(suffix, "API key"),
        };
      case "basic":
        return {
          type: "basic",
          username: secret(suffix === "" ? "USERNAME" : `${suffix}_USERNAME`, "User name"),
          password: secret(suffix === "" ? "PASSWORD" : `${suffix}_PASSWORD`, "Password"),
        };
      case "bearer":
        return { type: "bearer", token: secret(suffix, "Access token") };
      case "token": {
        const value = Setting.join(`${scheme.scheme} `, secret(suffix, "Token"));
        return { type: "header", name: "Authorization", value };
      }
      case "authorizationCode":
      case "deviceCode": {
        const { flow, ...endpoints } = loginFlowOf(scheme)!;
        const names = scopes.filter((scope) => typeof scope === "string");
        const { origin } = new URL((endpoints.issuer ?? endpoints.tokenUrl)!);
        const what = `OAuth client id at ${origin}; a client with a secret also needs auth.clientSecret`;
        return {
          ...{ type: "oauth2", flow, ...endpoints },
          clientId: secret(suffix === "" ? "CLIENT_ID" : `${suffix}_CLIENT_ID`, what),
          ...(names.length > 0 ? { scopes: names } : {}),
        };
      }
      case "clientCredentials": {
        const flow = objectField(objectField(scheme, "flows"), "clientCredentials");
        const tokenUrl = String(flow.tokenUrl);
        const names = scopes.filter((scope) => typeof scope === "string");
        // The document chooses this host, also where the address of the API is the user's.
        const host = `, sent to ${URL.parse(tokenUrl)?.origin ?? tokenUrl}`;
        return {
          type: "oauth2",
          flow: "clientCredentials",
          tokenUrl,
          clientId: secret(suffix === "" ? "CLIENT_ID" : `${suffix}_CLIENT_ID`, `OAuth client id${host}`),
          clientSecret: secret(
            suffix === "" ? "CLIENT_SECRET" : `${suffix}_CLIENT_SECRET`,
            `OAuth client secret${host}`,
          ),
          ...(names.length > 0 ? { scopes: names } : {}),
        };
      }
    }
  }

  /** A scheme's variable is named after its kind; a second scheme of that kind after itself. */
  #nameVariables(): void {
    const taken = new Set<string>();
    for (const [name, scheme] of this.#schemes) {
      const kind = schemeKindOf(scheme);
      if (kind === undefined) continue;
      const usual = USUAL_SUFFIX[kind];
      const key = `${usual} ${usual === "" ? kind : ""}`;
      const suffix = taken.has(key) ? variableName(name) : usual;
      taken.add(key);
      this.#suffixes.set(name, suffix);
    }
  }
}

const USUAL_SUFFIX: Readonly<Record<SchemeKind, string>> = {
  ...{ apiKey: "API_KEY", bearer: "TOKEN", token: "TOKEN", basic: "" },
  ...{ clientCredentials: "", authorizationCode: "", deviceCode: "" },
};
