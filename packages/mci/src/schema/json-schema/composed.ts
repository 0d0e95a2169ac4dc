/** Keywords of JSON Schema under which an object may have properties that its own `properties` does not show. */
export const COMPOSED = ["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if", "dependentSchemas"] as const;
