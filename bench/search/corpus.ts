import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { importOpenApi } from "../../packages/mci/src/openapi/index.ts";
import type { Tool } from "../../packages/mci/src/schema/tool.ts";

export interface LabelledQuery {
  readonly query: string;
  /** The document whose tool is wanted. */
  readonly document: string;
  /** Any of these is right. */
  readonly wanted: readonly string[];
}

const HERE = fileURLToPath(new URL(".", import.meta.url));
/** Documents that are not part of this repository; beside it, unless the environment names another folder. */
const FOLDER =
  process.env["MCI_OPENAPI_DIR"] ?? fileURLToPath(new URL("../../../shared/openapi", import.meta.url));
const GITHUB = "@octokit/openapi@23.0.2";
const CACHE = fileURLToPath(new URL("../../node_modules/.cache/mci-search", import.meta.url));

const NAMES = ["slack.json", "twilio.json", "figma.yaml", "petstore.yaml"];
/** The files that are needed besides GitHub's, which is fetched. */
export const DOCUMENTS: readonly string[] = NAMES.map((name) => `${FOLDER}/${name}`);

/** The tools of five imports, each as a toolset of its own name. */
export function loadTools(): Tool[] {
  const missing = DOCUMENTS.filter((file) => !existsSync(file));
  if (missing.length > 0)
    throw new Error(`No ${missing.join(", ")}. Set MCI_OPENAPI_DIR to a folder that has the documents.`);
  return [...DOCUMENTS, githubDocument()].flatMap((file) =>
    importOpenApi(readFileSync(file, "utf8")).toolset.tools.map(
      (tool) => ({ ...tool, toolsetSource: basename(file).split(".")[0] }) as unknown as Tool,
    ),
  );
}

/** "tuning": what the ranking was developed with. "held-out": written for tools drawn at random, after that. */
export function loadQueries(set: "tuning" | "held-out"): LabelledQuery[] {
  const labelled: Record<string, Record<string, string | string[]>> = JSON.parse(
    readFileSync(`${HERE}${set}.json`, "utf8"),
  );
  return Object.entries(labelled).flatMap(([document, queries]) =>
    Object.entries(queries).map(([query, wanted]) => ({ query, document, wanted: [wanted].flat() })),
  );
}

/** Which of the first tools found is a wanted one, from 1; Infinity: none. */
export function rankOf(
  { query, document, wanted }: LabelledQuery,
  search: (query: string) => readonly Tool[],
) {
  const isWanted = (tool: Tool) => tool.toolsetSource === document && wanted.includes(tool.name);
  const index = search(query).findIndex(isWanted);
  return index < 0 ? Number.POSITIVE_INFINITY : index + 1;
}

/** Taken out of a package of the npm registry, once. */
export function githubDocument(): string {
  const file = `${CACHE}/github.json`;
  if (existsSync(file)) return file;
  mkdirSync(CACHE, { recursive: true });
  execFileSync("npm", ["pack", GITHUB, "--silent"], { cwd: CACHE, stdio: ["ignore", "ignore", "inherit"] });
  const archive = readdirSync(CACHE).find((entry) => entry.endsWith(".tgz"))!;
  const inside = "package/generated/api.github.com.json";
  execFileSync("tar", ["-xzf", archive, inside], { cwd: CACHE });
  renameSync(`${CACHE}/${inside}`, file);
  rmSync(`${CACHE}/package`, { recursive: true });
  rmSync(`${CACHE}/${archive}`);
  return file;
}
