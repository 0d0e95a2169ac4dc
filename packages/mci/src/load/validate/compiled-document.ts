import * as z from "zod/mini";
import { document } from "../../schema/document.ts";

buildLazyParts(document);

/** The same schema as generated code: several times faster on large files, and slower to start. */
export const compiledDocument = z.compile(document);

/** Puts the parts that are built on demand in their place: generated code would leave them to zod. */
function buildLazyParts(schema: z.core.SomeType): void {
  const def = schema._zod.def as Partial<Parts>;
  for (const key of ["innerType", "in", "element", "valueType"] as const) {
    const part = def[key];
    if (part === undefined) continue;
    const built = part instanceof z.core.$ZodLazy ? part._zod.innerType : part;
    def[key] = built;
    buildLazyParts(built);
  }
  for (const part of [...Object.values(def.shape ?? {}), ...(def.options ?? [])]) buildLazyParts(part);
}

/** Where schemas hold others: optional and nullable, pipes, arrays, records, objects and unions. */
interface Parts {
  innerType: z.core.SomeType;
  in: z.core.SomeType;
  element: z.core.SomeType;
  valueType: z.core.SomeType;
  shape: Record<string, z.core.SomeType>;
  options: z.core.SomeType[];
}
