import { isObject } from "@mci-ts/primitives/is-object";
import { InputPause } from "../input-pause.ts";
import type { CallOptions } from "./connection.ts";
import { McpError } from "./errors.ts";
import type { InputRequest, OnInput } from "./input.ts";

/** Takes out the secrets of a server. */
type Mask = <T>(server: string, value: T) => T;

/** Forms are flat. */
const MAX_DEPTH = 20;
const TEXTS: ReadonlySet<string> = new Set(["title", "description", "enumNames"]);

/** What servers say to a person during a request, without the secrets that they were sent and may repeat. */
export class MaskedInput {
  readonly #mask: Mask;
  readonly #masked = new WeakMap<OnInput, Map<string, OnInput>>();

  constructor(mask: Mask) {
    this.#mask = mask;
  }

  /** The same for the same function: calls with the same one ask the same person. */
  onInput(server: string, onInput: OnInput): OnInput {
    const known = this.#masked.get(onInput) ?? new Map<string, OnInput>();
    this.#masked.set(onInput, known);
    const masked =
      known.get(server) ?? ((request, context) => onInput(this.#question(server, request), context));
    known.set(server, masked);
    return masked;
  }

  onProgress(server: string, onProgress: CallOptions["onProgress"]): CallOptions["onProgress"] {
    return (
      onProgress &&
      ((progress) => {
        const { message } = progress;
        onProgress(message === undefined ? progress : { ...progress, message: this.#mask(server, message) });
      })
    );
  }

  /** The error, or the pause with its questions. */
  pause(server: string, error: unknown): unknown {
    if (!(error instanceof InputPause)) return error;
    const requests = Object.entries(error.inputRequired.requests).map(([name, request]) => [
      name,
      this.#question(server, request),
    ]);
    return new InputPause({ ...error.inputRequired, requests: Object.fromEntries(requests) });
  }

  /** Names and choices are part of the response that the server waits for, and the address of a page is where it is: they stay. */
  #question(server: string, request: InputRequest): InputRequest {
    const message = this.#mask(server, request.message);
    if (request.mode === "url") return { ...request, message };
    const requestedSchema = this.#form(server, request.requestedSchema, 0);
    return { ...request, message, requestedSchema };
  }

  /** A default with a secret in it is left out: a masked one would be another value. */
  #form<T>(server: string, value: T, depth: number): T {
    if (depth > MAX_DEPTH)
      throw new McpError("refused", `the server asks for a form of more than ${MAX_DEPTH} levels`);
    if (Array.isArray(value)) return value.map((item) => this.#form(server, item, depth + 1)) as T;
    if (!isObject(value)) return value;
    const entries = Object.entries(value).flatMap(([key, item]): [string, unknown][] => {
      // A field may have this name, too.
      if (isObject(item)) return [[key, this.#form(server, item, depth + 1)]];
      if (TEXTS.has(key)) return [[key, this.#mask(server, item)]];
      if (key !== "default") return [[key, this.#form(server, item, depth + 1)]];
      return JSON.stringify(this.#mask(server, item)) === JSON.stringify(item) ? [[key, item]] : [];
    });
    return Object.fromEntries(entries) as T;
  }
}
