import * as z from "zod/mini";
import type { Problem } from "../../errors.ts";
import { type Document, document } from "../../schema/document.ts";
import { templateEngine } from "../../schema/execution.ts";
import { type Tool, tool } from "../../schema/tool.ts";
import type { Place } from "../../template-api.ts";
import { type Finding, inFileOrder, locateFindings } from "../diagnostics.ts";
import type { Parsed } from "../parse/parsed.ts";
import { loadError } from "../problems.ts";
import { explainIssue } from "./explain-issue.ts";
import { keepSpelling } from "./raw-numbers.ts";
import { brokenRules, type FileKind } from "./semantics.ts";
import { unknownKeys } from "./unknown-keys.ts";
import { isObject } from "./values.ts";

export interface CheckOptions {
  /** Keys the format does not know, and other doubts: ignored, warnings, or errors. Default "ignore". */
  readonly unknownKeys?: "ignore" | "warn" | "error";
  /** A toolset file must have tools, and cannot take in others. Default "entry". */
  readonly kind?: FileKind;
  /**
   * Looks closer at tools, which is otherwise left for later: called when the file is refused anyway, with the tools
   * that are sound in themselves, so that their mistakes are reported together with the others. Default: nobody does.
   */
  readonly lookCloser?: (sound: SoundParts) => Promise<readonly Finding[]>;
}

export interface SoundParts {
  readonly tools: readonly PlacedTool[];
  /** The file's template language, if it names one that exists. */
  readonly templateEngine?: Document["templateEngine"];
}

export interface PlacedTool {
  readonly tool: Tool;
  readonly place: Place;
}

export interface Checked {
  readonly document: Document;
  /** Warnings only. */
  readonly problems: readonly Problem[];
}

/** Throws one `MCIClientError` with every problem of the file, each with its line and column. */
export async function checkDocument(parsed: Parsed, options: CheckOptions = {}): Promise<Checked> {
  const { unknownKeys: mode = "ignore", kind = "entry" } = options;
  const { data, hasNoEffect } =
    kind === "toolset" ? ownParts(parsed.data) : { data: parsed.data, hasNoEffect: [] };
  const result = z.safeParse(await schemaFor(data), data);
  const findings = [
    ...(result.error?.issues.flatMap((issue) => explainIssue(issue, data)) ?? []),
    ...brokenRules(data, kind),
    ...(mode === "ignore"
      ? []
      : [...unknownKeys(data, mode === "warn" ? "warning" : "error"), ...hasNoEffect]),
  ];
  if (!result.success) findings.push(...((await options.lookCloser?.(soundParts(data))) ?? []));
  const doubts = mode === "ignore" ? [] : await parsed.doubts();
  const problems = inFileOrder([...(await locateFindings(parsed, findings)), ...doubts]);
  if (!result.success || problems.some((problem) => problem.severity === "error")) {
    throw loadError(
      isOtherVersion(data, findings) ? "schema_version" : "schema_invalid",
      parsed.file,
      problems,
    );
  }
  keepSpelling(result.data, parsed.spelledNumbers);
  return { document: result.data, problems };
}

function soundParts(data: unknown): SoundParts {
  const { tools, templateEngine: engine } = isObject(data) ? data : {};
  return { tools: soundTools(tools), templateEngine: z.safeParse(templateEngine, engine).data };
}

function soundTools(data: unknown): PlacedTool[] {
  const tools = Array.isArray(data) ? data : [];
  return tools.flatMap((item: unknown, index) => {
    const { data: sound } = z.safeParse(tool, item);
    return sound === undefined || sound.disabled ? [] : [{ tool: sound, place: ["tools", index] }];
  });
}

/** From here on, generating code for the check costs less than it saves. */
const MANY_TOOLS = 2000;

async function schemaFor(data: unknown): Promise<typeof document> {
  const isLarge = isObject(data) && Array.isArray(data.tools) && data.tools.length >= MANY_TOOLS;
  return isLarge ? (await import("./compiled-document.ts")).compiledDocument : document;
}

/** A toolset file takes in nothing itself: what only an entry file may say is left out, whatever it is. */
function ownParts(data: unknown): { data: unknown; hasNoEffect: Finding[] } {
  if (!isObject(data)) return { data, hasNoEffect: [] };
  const { toolsets, mcp_servers, libraryDir, ...own } = data;
  const hasNoEffect = Object.keys({ toolsets, mcp_servers, libraryDir })
    .filter((key) => Object.hasOwn(data, key))
    .map((key): Finding => {
      return {
        place: [key],
        atKey: true,
        severity: "warning",
        message: `'${key}' has no effect in a toolset file`,
      };
    });
  return { data: own, hasNoEffect };
}

function isOtherVersion(data: unknown, findings: readonly Finding[]): boolean {
  const isReported = findings.some(({ place }) => place.length === 1 && place[0] === "schemaVersion");
  return isReported && isObject(data) && data.schemaVersion !== undefined;
}
