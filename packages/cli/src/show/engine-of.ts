import { readFileSync } from "node:fs";
import { lintFile, type Tool } from "mci-ts";
import { parse } from "yaml";

type Engine = "builtin" | "jinja2";

/** The language of a tool's text: its own setting, or that of the file in which the tool stands. */
export async function engineOf(
  { name, execution }: Tool,
  file: string,
  env: Readonly<Record<string, string>>,
): Promise<Engine> {
  if (execution.type !== "text") return "builtin";
  if (execution.templateEngine !== undefined) return execution.templateEngine;
  const { tools } = await lintFile(file, { env, folders: "any" });
  const place = tools.find((tool) => tool.name === name);
  const document = place && parse(readFileSync(place.file, "utf8"));
  return document?.templateEngine === "jinja2" ? "jinja2" : "builtin";
}
