import fc from "fast-check";
import { Cases } from "../../../../../test/cases.ts";
import type { Preview } from "../../preview.ts";
import { checkPlan, describePlan, type Plan, PlanBuilder } from "./plan.ts";

const value = fc.jsonValue({ maxDepth: 3 });
const write = fc.record({
  tool: fc.string({ minLength: 1, maxLength: 20 }),
  input: fc.dictionary(fc.oneof(fc.string({ maxLength: 8 }), fc.constant("__proto__")), value, {
    maxKeys: 4,
  }),
  text: fc.string({ unit: "binary", maxLength: 60 }),
});

/** Every place of a JSON value with what stands there. */
function* placesIn(root: unknown, path: (string | number)[] = []): Iterable<(string | number)[]> {
  if (path.length > 0) yield path;
  if (typeof root !== "object" || root === null) return;
  for (const [key, item] of Object.entries(root)) yield* placesIn(item, [...path, key]);
}

function changeAt(plan: Plan, path: readonly (string | number)[], replacement: unknown): Plan | undefined {
  const copy = JSON.parse(JSON.stringify(plan));
  const parent = path.slice(0, -1).reduce((place, key) => place[key], copy);
  const last = path.at(-1)!;
  if (JSON.stringify(parent[last]) === JSON.stringify(replacement)) return undefined;
  Object.defineProperty(parent, last, { value: replacement, enumerable: true });
  return copy;
}

const refuses = (plan: Plan, id: string) => {
  try {
    checkPlan(plan, id);
    return false;
  } catch {
    return true;
  }
};

const cases = new Cases();

export default [
  {
    cases,
    name: "plan: as it was made it is accepted from its JSON; with any one place changed it is refused",
    property: fc.property(
      fc.array(write, { minLength: 1, maxLength: 4 }),
      fc.array(fc.oneof(value, fc.constant(null), fc.constant({})), { minLength: 1, maxLength: 4 }),
      (writes, replacements) => {
        const builder = new PlanBuilder();
        for (const { tool, input, text } of writes)
          builder.add(tool, input, { type: "text", text } as Preview);
        const plan = builder.build()!;
        const stored = JSON.parse(JSON.stringify(plan)) as Plan;
        if (refuses(stored, plan.id)) throw new Error("refused as it was made");
        if (describePlan(stored).length > 21_000) throw new Error("a description without end");
        // Every place of the plan has another value in turn.
        const places = [...placesIn(stored)].slice(0, 60);
        const changes = places.map((path, index) => ({
          path,
          by: replacements[index % replacements.length],
        }));
        for (const { path, by } of cases.of(changes)) {
          const changed = changeAt(stored, path, by);
          if (changed === undefined) cases.count -= 1;
          else if (!refuses(changed, plan.id))
            throw new Error(`accepted after a change of ${path.join("/")}`);
        }
      },
    ),
  },
];
