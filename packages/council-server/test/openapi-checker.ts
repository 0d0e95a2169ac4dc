import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { expect } from "vitest";
import { parseEvents } from "./harness.ts";

/** Checks responses against the document: the status is documented, and the body is as its schema says. */
// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is walked by its own rules
export function checker(api: any) {
  const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } });
  formats.default(ajv);
  ajv.addSchema({ $id: "api", ...api });
  // To compile a schema takes far longer than to check a value, and most responses are of the same few kinds.
  const compiled = new Map<string, ValidateFunction>();
  const compile = ($ref: string) => {
    const validate = compiled.get($ref) ?? ajv.compile({ $ref });
    compiled.set($ref, validate);
    return validate;
  };
  return (method: string, path: string, response: Response, text: string) => {
    const documented = api.paths[path]?.[method]?.responses?.[response.status];
    expect(documented, `${method} ${path} ${response.status} is documented`).toBeDefined();
    const type = (response.headers.get("content-type") ?? "").split(";")[0]!;
    if (!documented.content) return;
    expect(Object.keys(documented.content), `${method} ${path} ${response.status}`).toContain(type);
    const pointer = ["paths", path, method, "responses", String(response.status), "content", type, "schema"];
    const fragment = pointer
      .map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")))
      .join("/");
    const validate = compile(`api#/${fragment}`);
    const values =
      type === "text/event-stream"
        ? parseEvents(text).map(({ data }) => JSON.parse(data))
        : [type === "application/json" ? JSON.parse(text) : text];
    expect(values.length).toBeGreaterThan(0);
    for (const value of values) {
      validate(value);
      expect(validate.errors, `${method} ${path} ${response.status}`).toBeNull();
    }
  };
}
