import type { Scope, TemplateLimits } from "../../template-api.ts";

/** Makes templates in the Jinja2 language. */
export type Jinja = (source: string, limits: TemplateLimits) => { render(scope: Scope): string };

/** Loads the engine. Wait for it before compiling a document that says `jinja2`; no other document needs it. */
export async function loadJinja(): Promise<Jinja> {
  return (await import("./jinja.ts")).jinjaTemplate;
}
