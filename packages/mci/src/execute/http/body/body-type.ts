import type { Body, BodyOf } from "../../../schema/body.ts";
import type { Compile, JsonPath, Scope } from "../../../template-api.ts";

/** A request body as it goes over the wire. */
export interface EncodedBody {
  readonly bytes: Uint8Array;
  /** Sent unless the author sets the header. */
  readonly contentType: string;
}

/** A body with files in it, which have yet to be read. */
interface FileBody {
  read(readFile: ReadFile): Promise<EncodedBody>;
}

/** Reads a file that the rules for paths allow. */
export type ReadFile = (path: string) => Promise<{ readonly bytes: Uint8Array }>;

/** Parses a body's templates. The function it returns gives undefined where the property it consists of was not given. */
export type BodyType<Type extends Body["type"] = Body["type"]> = (
  body: BodyOf<Type>,
  compile: Compile,
  place: JsonPath,
) => (scope: Scope) => EncodedBody | FileBody | undefined;
