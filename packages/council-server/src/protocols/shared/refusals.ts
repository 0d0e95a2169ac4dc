import { ServiceError } from "../../service-error.ts";
import type { Body } from "../protocol.ts";

/** A field that cannot be used here. */
export function invalidField(path: string, problem: string): ServiceError {
  const message = `${path} ${problem}`;
  return new ServiceError("invalid_request", message, { details: [{ path, message }] });
}

/** A field that the provider behind this model has no place for. */
export const cannotCarry = (
  path: string,
  advice = "leave it out, or use a model whose provider speaks this protocol",
) => invalidField(path, `cannot be sent to the provider of this model; ${advice}`);

/** Parameters that a provider of another protocol has no place for are refused, unless they say nothing. */
export function requireKnown(
  body: Body,
  known: ReadonlySet<string>,
  isNeutral: (name: string, value: unknown) => boolean = () => false,
): void {
  for (const [name, value] of Object.entries(body))
    if (!known.has(name) && value !== null && !isNeutral(name, value)) throw cannotCarry(name);
}
