import { ToolError } from "../../errors.ts";
import type { Outcome } from "../../result.ts";
import type { FileExecution } from "../../schema/execution.ts";
import { OMITTED, type Template, type TemplateEngine, type TemplateString } from "../../template-api.ts";
import { ruledPath } from "../caller-paths.ts";
import type { Call, Executor } from "../executor.ts";
import { resolvePath } from "../paths.ts";
import { decodeText, Linker } from "./include.ts";
import { mediaType } from "./media.ts";
import { readAllowed } from "./read.ts";

interface FilePlan {
  readonly path: TemplateString;
  readonly enableTemplating: boolean;
  readonly engine?: TemplateEngine;
}

interface FileSession {
  /** Parsed templates by engine and file; the oldest is dropped first. */
  readonly templates: Map<string, CachedTemplate>;
  readonly linker: Linker;
}

interface CachedTemplate {
  readonly text: string;
  /** Tools of several MCI files, each with its own language, may read one file. */
  readonly compile: Call["compile"];
  readonly template: Template;
}

/** Reads a file: text is rendered as a template unless the tool says otherwise, images and audio are passed through. */
export const file: Executor<FileExecution, FilePlan, FileSession> = {
  compile: (execution, compile, place) => ({
    path: compile.text(execution.path, [...place, "path"]),
    enableTemplating: execution.enableTemplating ?? true,
    engine: execution.templateEngine,
  }),

  open: () => ({ templates: new Map(), linker: new Linker() }),

  async run(plan, call, session) {
    const { path: filePath, rules } = givenPath(plan, call);
    const { file, bytes } = await readAllowed(filePath, { paths: rules, limits: call.limits });
    const metadata = { bytes: bytes.length };
    const text = decodeText(bytes);
    // Some media files are well-formed UTF-8 by chance, but no text holds a NUL.
    if (text === undefined || bytes.includes(0)) {
      const media = mediaItem(bytes, file);
      if (media !== undefined) return { content: [media], metadata };
    }
    if (text === undefined) {
      throw new ToolError("file_not_text", `File is neither UTF-8 text nor an image or audio: ${filePath}`, {
        metadata,
      });
    }
    if (!plan.enableTemplating) return { content: [{ type: "text", text }], metadata };
    const template = cachedTemplate(text, file, filePath, plan, call, session);
    const linked =
      template.includes.length === 0 ? template : await session.linker.link(template, file, call);
    return { content: [{ type: "text", text: linked.render(call.scope) }], metadata };
  },

  async preview(plan, call) {
    const { path, rules } = givenPath(plan, call);
    return { type: "file", path: resolvePath(path, rules) };
  },
};

function givenPath({ path }: FilePlan, call: Call): ReturnType<typeof ruledPath> {
  const parts = path.parts(call.scope);
  const ruled = ruledPath(parts === OMITTED ? [] : parts, call);
  if (ruled.path === "")
    throw new ToolError("invalid_config", `The path is empty: '${path.source}' gave nothing.`);
  return ruled;
}

function mediaItem(bytes: Buffer, file: string): Outcome["content"][number] | undefined {
  const mimeType = mediaType(bytes, file);
  if (mimeType === undefined) return undefined;
  return {
    type: mimeType.startsWith("audio/") ? "audio" : "image",
    data: bytes.toString("base64"),
    mimeType,
  };
}

const MAX_TEMPLATES = 64;
/** Characters. Parsing a larger file again costs little next to reading it, and keeping many would cost memory. */
const MAX_CACHED_CHARS = 256 * 1024;

/** The file's template: the one of the last call if the text is still the same. */
function cachedTemplate(
  text: string,
  file: string,
  filePath: string,
  plan: FilePlan,
  call: Call,
  { templates }: FileSession,
): Template {
  const key = `${plan.engine ?? ""}\0${file}`;
  const cached = templates.get(key);
  const { compile } = call;
  if (cached?.text === text && cached.compile === compile) return cached.template;
  const template = compile.template(text, [filePath], { engine: plan.engine });
  templates.delete(key);
  if (text.length <= MAX_CACHED_CHARS) {
    templates.set(key, { text, compile, template });
    if (templates.size > MAX_TEMPLATES) templates.delete(templates.keys().next().value!);
  }
  return template;
}
