import { readFileSync, writeFileSync } from "node:fs";
import { format } from "../bench/format.ts";
import type { Row, Table } from "../bench/suite.ts";
import type { ModelFile } from "./model/models.ts";
import type { Part } from "./part.ts";

export interface PartReport {
  readonly part: Part;
  readonly results: readonly (Row | Table)[];
  readonly seconds: number;
  /** Whether it ended with an error, which is its only result. */
  readonly failed?: boolean;
}

export const toMarkdown = ({ part: { title, about }, results }: PartReport): string =>
  `### ${title}\n\n${about}\n\n${format(results).replaceAll(/^### /gm, "#### ")}\n`;

/** The first has models that are on none yet. */
const PAGES = ["live-model", "live-model-larger"].map(
  (name) => new URL(`../docs/council/${name}.md`, import.meta.url),
);

/** Each part of each model has its own place on its page, between two comments; what was not run stays. */
export function writePage(model: ModelFile, machine: string, reports: readonly PartReport[]): void {
  const heading = `\n## ${model.name}\n`;
  const page = PAGES.find((one) => readFileSync(one, "utf8").includes(heading)) ?? PAGES[0]!;
  let text = readFileSync(page, "utf8");
  const date = new Date().toISOString().slice(0, 10);
  for (const report of reports) {
    const [start, end] = [
      `<!-- ${model.name} ${report.part.name} -->`,
      `<!-- /${model.name} ${report.part.name} -->`,
    ];
    const measured = `Measured on ${date} with ${model.name} (${model.about}) in ${Math.round(report.seconds)} s: ${machine}.`;
    const part = `${start}\n${toMarkdown(report)}\n${measured}\n${end}`;
    const from = text.indexOf(start);
    if (from >= 0) text = `${text.slice(0, from)}${part}${text.slice(text.indexOf(end) + end.length)}`;
    else if (text.includes(heading)) {
      const next = text.indexOf("\n## ", text.indexOf(heading) + heading.length);
      const at = next < 0 ? text.length : next;
      text = `${text.slice(0, at).trimEnd()}\n\n${part}\n${text.slice(at)}`;
    } else text = `${text.trimEnd()}\n${heading}\n${part}\n`;
  }
  writeFileSync(page, text);
}
