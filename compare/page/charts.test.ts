import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { figures } from "../speed/rounds.ts";
import { Charts } from "./charts.ts";

/** A stand-in for the plotting library, which only a comparison installs: it draws its input as JSON. */
const STAND_IN = `
  let open = 0;
  exports.open = () => open;
  exports.init = () => {
    open += 1;
    let option;
    return {
      setOption: (given) => { option = given },
      renderToSVGString: () => JSON.stringify(option),
      dispose: () => { open -= 1 },
    };
  };`;

test("a chart shows who was measured, and leaves nothing running behind", async () => {
  const folder = temporaryFolder();
  const library = join(folder, "node_modules/echarts/index.js");
  mkdirSync(join(folder, "node_modules/echarts"), { recursive: true });
  writeFileSync(library, STAND_IN);

  const outcomes = { "mci-ts": figures([2000]), "mci-py": figures([9000]), utcp: { error: "not supported" } };
  const row = { id: "start", what: "`start`", unit: "µs", outcomes } as const;
  const { series, yAxis } = JSON.parse(new Charts(folder).starts([row]));
  expect(series.map(({ name, data }: { name: string; data: unknown }) => [name, data])).toEqual([
    ["mci-ts", [2]],
    ["mci-py", [9]],
  ]);
  expect(yAxis.data).toEqual(["start"]);
  const { default: echarts } = await import(library);
  expect(echarts.open()).toBe(0);
});
