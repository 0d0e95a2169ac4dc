/**
 * Large texts: nested loops, conditions, expressions, fallbacks, an included file, and the same in Jinja2.
 *
 *   npx node examples/report-templates/run.ts
 */
import assert from "node:assert/strict";
import { MCIClient } from "mci-ts";

const client = await MCIClient.load(new URL("tools.mci.json", import.meta.url), {
  env: { PLACE: "the library" },
});

const report = await client.execute("sprint_report", {
  sprint: "42",
  people: [
    {
      name: "Ada",
      tasks: [{ title: "Engine", points: 8 }, { title: "Notes", points: 2 }, { title: "{{env.PLACE}}" }],
    },
    { name: "Bo", tasks: [{ title: "Review" }] },
  ],
  velocity: { "40": 21, "41": 34 },
});
console.log(report.text);
assert.equal(
  report.text,
  `# Sprint 42

## Ada: 3 tasks

1. Engine **(large)**
2. Notes (2)
3. {{env.PLACE}} (small)

## Bo: 1 task

1. Review (small)

| Sprint | Points |
|---|---|
| 40 | 21 |
| 41 | 34 |

Written by a template. Questions: team@example.com
`,
);

const invitation = await client.execute("invite", { guests: ["Ada", "Bo"] });
assert.equal(invitation.text, "Dear ADA, BO: see you at the library.");

await client.close();
