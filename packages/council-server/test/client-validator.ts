import type { JsonSchemaType, JsonSchemaValidator, jsonSchemaValidator } from "@modelcontextprotocol/client";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";

const ajv = new AjvJsonSchemaValidator();
const compiled = new Map<string, JsonSchemaValidator<unknown>>();

/**
 * What the official client checks results with. By itself it compiles the schema of results anew for each tool of each client,
 * which took longer than the calls; this one compiles equal schemas once.
 */
export const clientValidator: jsonSchemaValidator = {
  getValidator<T>(schema: JsonSchemaType) {
    const text = JSON.stringify(schema);
    const known = compiled.get(text) ?? ajv.getValidator(schema);
    compiled.set(text, known);
    return known as JsonSchemaValidator<T>;
  },
};
