import { expect, test } from "vitest";
import { checkTask } from "../../packages/council/src/tasks/check-task.ts";
import { loadExpressions } from "../../packages/mci/src/json/expressions.ts";
import { readPage } from "./markdown.ts";

const { blocks } = readPage("docs/council/tasks.md");
const documents = blocks.filter(({ language }) => language === "json").map(({ text }) => text);
const tasks = documents.filter((text) => text.startsWith("{")).map((text) => JSON.parse(text));
const fragments = documents.filter((text) => !text.startsWith("{")).map((text) => JSON.parse(`{${text}}`));

test("the tasks of the page are ones that the service accepts, with each of its fragments", async () => {
  const language = await loadExpressions();
  expect(tasks.length).toBeGreaterThan(0);
  expect(fragments.length).toBeGreaterThan(0);
  for (const task of tasks) {
    for (const fragment of [{}, ...fragments])
      expect(checkTask({ ...task, ...fragment }, language)).toMatchObject({ ...task, ...fragment });
    // A mistake would be seen.
    expect(() => checkTask({ ...task, until: "(" }, language)).toThrow("until");
  }
});
