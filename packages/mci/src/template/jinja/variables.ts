import { Environment } from "@huggingface/jinja";
import { integersAsText } from "@mci-ts/primitives/exact-json";
import type { Scope } from "../../template-api.ts";
import { reportSecrets } from "../env-values.ts";
import { PROPS_ROOTS } from "../parse/ast.ts";
import { FUNCTIONS } from "./functions.ts";
import type { RenderBudget, RuntimeValue } from "./interpreter.ts";

/** The roots of the built-in language, and Jinja's constants and functions. */
export function jinjaVariables(scope: Scope, budget: RenderBudget): Environment {
  const environment = new Environment();
  const props = integersAsText(scope.props);
  for (const name of PROPS_ROOTS) environment.set(name, props);
  if (scope.caller !== undefined) environment.set("caller", integersAsText(scope.caller));
  const env: RuntimeValue = environment.set("env", scope.env);
  env.value = new ReportingMap(env.value as Map<string, unknown>, scope);
  const constants = { true: true, True: true, false: false, False: false, none: null, None: null };
  for (const [name, value] of Object.entries(constants)) environment.set(name, value);
  for (const [name, call] of Object.entries(FUNCTIONS))
    environment.set(name, (...args: unknown[]) => call(budget, ...args));
  return environment;
}

/** The env as the library keeps it, telling of each value that is read. */
class ReportingMap extends Map<string, unknown> {
  readonly #scope: Scope;
  readonly #seen = new Set<unknown>();

  constructor(values: Map<string, unknown>, scope: Scope) {
    super();
    this.#scope = scope;
    for (const [name, value] of values) this.set(name, value);
  }

  override get(name: string): unknown {
    if (this.has(name)) this.#report(this.#scope.env[name]);
    return super.get(name);
  }

  override entries(): MapIterator<[string, unknown]> {
    this.#report(this.#scope.env);
    return super.entries();
  }

  override values(): MapIterator<unknown> {
    this.#report(this.#scope.env);
    return super.values();
  }

  override [Symbol.iterator](): MapIterator<[string, unknown]> {
    return this.entries();
  }

  #report(value: unknown): void {
    reportSecrets(value, this.#scope.onEnv, this.#seen);
  }
}
