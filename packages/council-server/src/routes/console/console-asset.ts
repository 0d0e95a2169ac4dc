import { consoleFiles } from "../../http/console/console-files.ts";
import { defineRoute, failure } from "../../http/route.ts";
import { ServiceError } from "../../service-error.ts";

/** Script and styles of the web console. Public: they hold no data. */
export const consoleAsset = defineRoute({
  method: "get",
  path: "/assets/:name",
  summary: "Script and styles of the web console",
  public: true,
  responses: {
    200: { description: "The file.", content: { "text/javascript": undefined, "text/css": undefined } },
    404: failure("There is no such file."),
  },
  handle(c) {
    const name = c.req.param("name") ?? "";
    const file = consoleFiles.respond(`assets/${name}`, c.req.header("accept-encoding"));
    if (!file) throw new ServiceError("not_found", `The console has no file "${name}"; reload the page`);
    return file;
  },
});
