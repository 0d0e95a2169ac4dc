import { closestMatch } from "@mci-ts/primitives/closest-match";
import { isObject } from "@mci-ts/primitives/is-object";
import { DefinitionMap } from "../definitions/definitions.ts";
import { omitNulls } from "../definitions/omit-nulls.ts";
import { MCIClientError } from "../errors.ts";
import type { Loaded, LoadedTool } from "../load/loaded.ts";
import { objectRoot } from "../schema/json-schema/object-root.ts";
import { copyData, objectSchemas } from "../schema/json-schema/object-schemas.ts";
import type { Tool } from "../schema/tool.ts";
import type { ToolMatch, ToolSearch } from "../search/search.ts";
import { fixedInput } from "../tools/fixed-input.ts";
import { type Input, type InputReader, inputReader } from "../tools/input.ts";
import { select, type ToolFilter } from "../tools/select.ts";
import type { SearchOptions } from "./client-options.ts";

/** The tools that a client has now: found by name, filter or search, with the readers of their input. */
export class ToolSet {
  #loaded: Loaded;
  #byName: ReadonlyMap<string, LoadedTool>;
  readonly #readers = new WeakMap<LoadedTool, InputReader | Promise<InputReader>>();
  #definitions: DefinitionMap | undefined;
  #search: Promise<ToolSearch> | undefined;

  constructor(loaded: Loaded) {
    this.#loaded = loaded;
    this.#byName = byName(loaded);
  }

  /** A server has changed its list. */
  replace(loaded: Loaded): void {
    this.#loaded = loaded;
    this.#byName = byName(loaded);
    this.#definitions = undefined;
    this.#search = undefined;
  }

  get loaded(): Loaded {
    return this.#loaded;
  }

  select(filter: ToolFilter): Tool[] {
    return select(
      this.#loaded.tools.map(({ tool }) => tool),
      filter,
    );
  }

  /** Names and schemas as models see them. */
  get definitions(): DefinitionMap {
    this.#definitions ??= new DefinitionMap([...this.#byName.keys()]);
    return this.#definitions;
  }

  /** A tool that does not pass the filter is not there. */
  find(name: string, filter?: ToolFilter): LoadedTool {
    const found = this.#byName.get(name);
    const isHidden = filter !== undefined && found !== undefined && select([found.tool], filter).length === 0;
    if (found !== undefined && !isHidden) return found;
    const changed = this.#loaded.refused?.get(name);
    if (changed !== undefined) throw new MCIClientError("tool_changed", changed);
    const names =
      filter === undefined ? [...this.#byName.keys()] : this.select(filter).map((tool) => tool.name);
    const similar = closestMatch(String(name), names);
    throw new MCIClientError(
      "tool_not_found",
      `Tool not found: ${String(name)}${similar === undefined ? "" : `. Did you mean '${similar}'?`}`,
    );
  }

  async search(query: string, { limit = 10, filter = {}, embed }: SearchOptions): Promise<ToolMatch[]> {
    const included = new Set(this.select(filter));
    this.#search ??= import("../search/search.ts").then(
      ({ ToolSearch }) => new ToolSearch(this.#loaded.tools.map(({ tool }) => tool)),
    );
    const found = await (await this.#search).search(query, limit, (tool) => included.has(tool), embed);
    return found.map(({ tool, score }) => ({ tool: copyOf(tool), score }));
  }

  /** Checks the input of a call. A promise only until the tool's reader is built. */
  read(found: LoadedTool, rawInput: unknown): Input | Promise<Input> {
    const reader = this.#readers.get(found) ?? this.#buildReader(found);
    return reader instanceof Promise ? reader.then((read) => read(rawInput)) : reader(rawInput);
  }

  /** A model's arguments, under the names that it sees. */
  async readOfModel(found: LoadedTool, rawInput: unknown): Promise<Input> {
    const own = this.toOwnProperties(found.tool, rawInput);
    return this.read(found, isObject(own) ? omitNulls(own, found.tool.inputSchema) : own);
  }

  /** An object's properties under the file's names. What is not an object is left for the input's reader to refuse. */
  toOwnProperties(tool: Tool, rawInput: unknown): unknown {
    return isObject(rawInput) ? this.definitions.toOwnProperties(tool, rawInput) : rawInput;
  }

  #buildReader(found: LoadedTool): Promise<InputReader> {
    const reader = readerOf(found);
    this.#readers.set(found, reader);
    // Once built, later calls need not wait for a promise.
    reader.then(
      (built) => this.#readers.set(found, built),
      () => this.#readers.delete(found),
    );
    return reader;
  }
}

/** Frameworks write to the tools they are given. */
export function copyOf({ inputSchema, outputSchema, ...tool }: Tool): Tool {
  return {
    ...copyData(tool),
    ...(inputSchema === undefined ? {} : { inputSchema: objectRoot(objectSchemas(inputSchema)) }),
    ...(outputSchema === undefined ? {} : { outputSchema: objectSchemas(outputSchema) }),
  };
}

function byName({ tools }: Loaded): ReadonlyMap<string, LoadedTool> {
  return new Map(tools.map((loadedTool) => [loadedTool.tool.name, loadedTool]));
}

/** The file that includes a tool may set a part of its input. */
async function readerOf({ tool, input }: LoadedTool): Promise<InputReader> {
  if (input === undefined) return inputReader(tool);
  const visible = { schema: tool.inputSchema ?? {}, hidden: input.hidden };
  return fixedInput(await inputReader({ name: tool.name, inputSchema: input.schema }, visible), input);
}
