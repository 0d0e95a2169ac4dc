import { join } from "node:path";
import type { TextExecution } from "../schema/execution.ts";
import type { Template } from "../text.ts";
import type { Executor } from "./executor.ts";
import { Linker } from "./include.ts";

interface TextPlan {
  readonly template: Template;
}

/** Renders a template that stands in the MCI file itself. */
export const text: Executor<TextExecution, TextPlan, Linker> = {
  compile: (execution, compile, place) => ({
    template: compile.template(execution.text, [...place, "text"], { engine: execution.templateEngine }),
  }),

  open: () => new Linker(),

  async run({ template }, call, linker) {
    const linked =
      template.includes.length === 0
        ? template
        : await linker.link(template, join(call.paths.baseDir, "execution.text"), call);
    return { content: [{ type: "text", text: linked.render(call.scope) }] };
  },
};
