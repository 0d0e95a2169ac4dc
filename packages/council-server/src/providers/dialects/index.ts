import { anthropic } from "./anthropic.ts";
import { azure } from "./azure.ts";
import { deepseek } from "./deepseek.ts";
import type { Dialect, Headers } from "./dialect.ts";
import { generic } from "./generic.ts";
import { google } from "./google.ts";
import { groq } from "./groq.ts";
import { llamacpp } from "./llamacpp.ts";
import { lmstudio } from "./lmstudio.ts";
import { mistral } from "./mistral.ts";
import { ollama } from "./ollama.ts";
import { openai } from "./openai.ts";
import { openrouter } from "./openrouter.ts";
import { together } from "./together.ts";
import { vllm } from "./vllm.ts";
import { xai } from "./xai.ts";

/** Every provider we know to differ. The names are those of the setting MCI_DIALECT and of `mci-council-sim --dialect`. */
const TABLE = {
  openai,
  azure,
  anthropic,
  google,
  openrouter,
  groq,
  together,
  deepseek,
  mistral,
  xai,
  vllm,
  llamacpp,
  ollama,
  lmstudio,
  generic,
} as const satisfies Record<string, Dialect>;

export type DialectName = keyof typeof TABLE;
export const DIALECT_NAMES = Object.keys(TABLE) as [DialectName, ...DialectName[]];

/** A dialect with every field that has a default filled in. */
export type FullDialect = Dialect &
  Required<Pick<Dialect, keyof typeof generic>> & { readonly name: DialectName };

export function dialect(name: DialectName): FullDialect {
  return COMPLETE.get(name)!;
}

/** Made once each: every call of a model asks for one. */
const COMPLETE: ReadonlyMap<DialectName, FullDialect> = new Map(
  DIALECT_NAMES.map((name) => [name, fillIn(name)]),
);

function fillIn(name: DialectName): FullDialect {
  const own: Dialect = TABLE[name];
  return {
    ...generic,
    ...own,
    name,
    finishReasons: { ...generic.finishReasons, ...own.finishReasons },
    overloaded: { ...generic.overloaded, ...own.overloaded },
  };
}

/** Which dialect an endpoint speaks, as far as its address tells. Ports count only on this machine or in a private network. */
export function dialectOf(url: URL): DialectName {
  const byHost = DIALECT_NAMES.find((name) => (TABLE[name] as Dialect).hosts?.test(url.hostname));
  if (byHost) return byHost;
  const local = isPrivateHost(url.hostname) ? url.port : "";
  return DIALECT_NAMES.find((name) => String((TABLE[name] as Dialect).port) === local) ?? "generic";
}

/** Which dialect a response gives away, for an endpoint that is not known yet. */
export function dialectOfResponse(headers: Headers, body: unknown): DialectName | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  const response = { headers, body: body as Record<string, unknown> };
  return DIALECT_NAMES.find((name) => (TABLE[name] as Dialect).signature?.(response));
}

/** This machine, or one in a private network. */
export const isPrivateHost = (host: string) =>
  /^(localhost|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[::1\]|\[f[cd])/.test(host) ||
  /\.(local|lan|internal|localhost)$/.test(host) ||
  !host.includes(".");
