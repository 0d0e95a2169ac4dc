import { isObject, objectsIn } from "@mci-ts/primitives/is-object";
import { CliError } from "../../cli-error.ts";
import { describeNoise } from "../headers.ts";
import type { Imported, ImportedDocument, Skipped } from "../imported.ts";
import { parseLooseDocument } from "../parse-loose.ts";
import { isKey } from "../path.ts";
import { type Json, toolName } from "../request.ts";
import { ImportVariables } from "../variables.ts";
import { textOf } from "./description.ts";
import { requestTool } from "./request-tool.ts";
import { PostmanText } from "./text.ts";

/** Folders nested deeper are left out. */
const MAX_DEPTH = 50;

/** A Postman collection (2.0, 2.1) as a toolset: one tool for each request, folders become tags. */
export function importPostman(source: string, prefix = ""): Imported {
  const collection = collectionOf(parseLooseDocument(source, "The collection"));
  const info = isObject(collection.info) ? collection.info : {};
  const variables = new ImportVariables();
  const read = new Set<string>();
  const skipped: Skipped[] = [];
  const scripted: { readonly label: string; readonly when: string }[] = [];
  const notes: string[] = [];
  const noise = new Set<string>();
  const tools: NonNullable<ImportedDocument["tools"]>[number][] = [];
  const taken = new Set<string>();
  const title = String(info.name ?? "api");
  const text = new PostmanText(collection.variable, title, variables);

  const visit = (items: readonly unknown[], tags: readonly string[], auth: unknown, depth: number): void => {
    for (const item of items) {
      if (!isObject(item)) {
        skipped.push({ what: "an entry", reason: "it is neither a request nor a folder", byChoice: false });
        continue;
      }
      const label = labelOf(item);
      scripted.push(...scriptsOf(item).map((when) => ({ label, when })));
      if (Array.isArray(item.item)) {
        if (depth >= MAX_DEPTH)
          skipped.push({ what: label, reason: `folders nested deeper than ${MAX_DEPTH}`, byChoice: false });
        else visit(item.item, [...tags, label], item.auth ?? auth, depth + 1);
        continue;
      }
      try {
        const base = `${prefix}${toolName(label)}`.slice(0, 60);
        let name = base;
        for (let number = 2; taken.has(name); number++) name = `${base}_${number}`;
        tools.push({
          name,
          ...requestTool({ ...item, name: label }, tags, auth, {
            text,
            title,
            variables,
            read,
            noise,
            warn: (message) => void notes.push(`${name}: ${message}`),
          }),
        });
        taken.add(name);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        skipped.push({ what: label, reason, byChoice: false });
      }
    }
  };
  scripted.push(...scriptsOf(collection).map((when) => ({ label: title, when })));
  visit(collection.item as unknown[], [], collection.auth, 0);
  const about = textOf(info.description);
  const description = about?.slice(0, MAX_ABOUT);
  if (about !== description)
    notes.push(`The description of the collection is cut to ${MAX_ABOUT} characters`);
  // Addresses; what else a variable holds may be personal.
  const used = variables.readBy(read);
  const publicEnv = used
    .filter((variable) => !variable.secret && /^https?:\/\/[^@]*$/i.test(variable.default ?? ""))
    .map(({ name }) => name);
  return {
    document: {
      schemaVersion: "1.0",
      metadata: { name: title, ...(description ? { description } : {}) },
      ...(publicEnv.length > 0 ? { publicEnv } : {}),
      envAllowList: used.map(({ name }) => name),
      tools,
    },
    skipped,
    warnings: [
      ...scripted.map(({ label, when }) => `'${label}' has a script that runs ${when}; it is left out`),
      ...notes,
      ...describeNoise(noise),
      ...variables.warnings,
    ],
    variables: used,
    secrets: variables.values,
  };
}

/** A request that was not given a name is called by its address, which may hold credentials. */
function labelOf({ name = "request" }: Json): string {
  const label = String(name);
  const query = label.search(/[?;]/);
  const hasValue = query >= 0 && label.includes("=", query);
  if (!hasValue && !/^[a-z]+:\/\/|^\{\{/i.test(label)) return label;
  const segments = label
    .split(/[?#;]/, 1)[0]!
    .replace(/^([a-z]+:\/\/)?[^/]*@/i, "$1")
    .split("/");
  return segments.map((text) => (isKey(text) ? "…" : text)).join("/");
}

/** Postman's API wraps the collection of an export. */
function collectionOf(parsed: unknown): Json {
  const collection = isObject(parsed) && isObject(parsed.collection) ? parsed.collection : parsed;
  if (isObject(collection) && Array.isArray(collection.item)) return collection;
  throw new CliError("The file is not a Postman collection: it has no list 'item'.", {
    hint: "Export the collection from Postman in the format 2.1.",
  });
}

const MAX_ABOUT = 300;

const SCRIPTS = { prerequest: "before its requests", test: "after its requests" };

/** When the scripts of a collection, folder or request run. A script after a request may set variables for the next one. */
function scriptsOf({ event }: Json): readonly string[] {
  const events = objectsIn(event);
  return Object.entries(SCRIPTS).flatMap(([kind, when]) => {
    const has = events.some(({ listen, script, disabled }) => {
      const lines = isObject(script) ? [script.exec].flat().join("").trim() : "";
      return listen === kind && disabled !== true && lines !== "";
    });
    return has ? [when] : [];
  });
}
