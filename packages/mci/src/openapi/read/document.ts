import { isObject } from "@mci-ts/primitives/is-object";
import { importError } from "../errors.ts";
import { field, type JsonObject } from "../json.ts";
import { upgradeSwagger } from "./swagger2.ts";

/** A document of any supported version, in the form of OpenAPI 3. */
export function normalizeDocument(document: JsonObject): JsonObject {
  const openapi = field(document, "openapi");
  const swagger = field(document, "swagger");
  const version = String(openapi ?? swagger ?? "");
  if (openapi !== undefined && /^3\.\d/.test(version)) return withPaths(document);
  if (swagger !== undefined && /^2(\.0)?$/.test(version)) return upgradeSwagger(withPaths(document));
  if (version !== "") {
    throw importError(`Version ${version} is not supported. Supported are OpenAPI 3.x and Swagger 2.0.`);
  }
  const hint = looksLikePostman(document) ? " This is a Postman collection: use 'mci import postman'." : "";
  throw importError(
    `The document has no field 'openapi' or 'swagger', so it is not an OpenAPI document.${hint}`,
  );
}

function withPaths(document: JsonObject): JsonObject {
  if (isObject(field(document, "paths"))) return document;
  const others = ["webhooks", "components"].filter((key) => isObject(field(document, key)));
  throw importError(
    others[0] === "webhooks"
      ? "The document has only 'webhooks': requests that the API sends to you. Tools are made from 'paths', the requests that you send to it."
      : `The document has no 'paths', so there is nothing to import.${others.length > 0 ? " It has only parts for other documents: import the one that refers to it." : ""}`,
  );
}

function looksLikePostman(document: JsonObject): boolean {
  return Array.isArray(field(document, "item")) && isObject(field(document, "info"));
}
