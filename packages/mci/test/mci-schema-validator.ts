import { readFileSync } from "node:fs";
import Ajv from "ajv/dist/2020.js";
import { parseObject } from "../src/load/parse/parse.ts";
import { validateDocument } from "../src/load/validate/document.ts";

export const committed = readFileSync(new URL("../mci.schema.json", import.meta.url), "utf8");
export const schema = JSON.parse(committed);
export const ajv = new Ajv.default({
  allErrors: true,
  strict: true,
  allowUnionTypes: true,
  logger: false,
  code: { optimize: false },
});
/** By the committed JSON Schema. */
export const validate = ajv.compile(schema);

/** By the loader. */
export const loads = (data: unknown) =>
  validateDocument(parseObject(data)).then(
    () => true,
    () => false,
  );
