import type { Compile, JsonPath, Scope } from "../../../template-api.ts";

/** A request body as it goes over the wire. */
export interface EncodedBody {
  readonly bytes: Uint8Array;
  /** Sent unless the author sets the header. */
  readonly contentType: string;
}

/** Parses a body's templates. The function it returns gives undefined where the property it consists of was not given. */
export type BodyType = (
  content: unknown,
  compile: Compile,
  place: JsonPath,
) => (scope: Scope) => EncodedBody | undefined;
