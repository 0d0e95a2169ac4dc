import { expect, test } from "vitest";
import { DEFAULT_LIMITS } from "../execute/executor.ts";
import { TemplateCompiler, type TemplateProblem } from "./compile.ts";

const settings = Array.from({ length: 1000 }, (_, index) => `${index} {{props.a}}`);

test("more settings than stay parsed render alike, at first and again", () => {
  const compiler = new TemplateCompiler({ limits: DEFAULT_LIMITS, report: () => {} });
  const scope = { props: { a: "x" }, env: {}, absent: new Set<string>(), onEnv: () => {} };
  for (const round of [1, 2])
    expect(
      settings.map((source, index) => compiler.text(source, ["tools", index, round]).render(scope)),
    ).toEqual(settings.map((_, index) => `${index} x`));
});

test("a setting that cannot be parsed is reported at every place, however many others stand between", () => {
  const problems: TemplateProblem[] = [];
  const compiler = new TemplateCompiler({
    limits: DEFAULT_LIMITS,
    report: (problem) => problems.push(problem),
  });
  for (const [index, source] of ["{{props.", ...settings, "{{props."].entries())
    compiler.text(source, [index]);
  expect(problems.map(({ place }) => place)).toEqual([[0], [1001]]);
});
