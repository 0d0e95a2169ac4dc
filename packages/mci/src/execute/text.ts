import { sep } from "node:path";
import type { TextExecution } from "../schema/execution.ts";
import type { Template } from "../template-api.ts";
import type { Call, Executor } from "./executor.ts";
import { Linker } from "./file/include.ts";

interface TextPlan {
  readonly template: Template;
}

/** Renders a template that stands in the MCI file itself. */
export const text: Executor<TextExecution, TextPlan, Linker> = {
  compile: (execution, compile, place) => ({
    template: compile.template(execution.text, [...place, "text"], { engine: execution.templateEngine }),
  }),

  open: () => new Linker(),

  async run(plan, call, linker) {
    return { content: [{ type: "text", text: await render(plan, call, linker) }] };
  },

  async preview(plan, call) {
    return { type: "text", text: await render(plan, call, new Linker()) };
  },
};

async function render({ template }: TextPlan, call: Call, linker: Linker): Promise<string> {
  // A text stands in no file of its own: a name in the MCI file's directory that no included file can have.
  const file = `${call.paths.baseDir}${sep}.`;
  const linked = template.includes.length === 0 ? template : await linker.link(template, file, call);
  return linked.render(call.scope);
}
