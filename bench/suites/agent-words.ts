import { compileTools, type Model, ModelError, runAction } from "@mci-ts/council";
import { seeded } from "../../packages/council-eval/src/statistics/statistics.ts";
import type { Suite, Table } from "../suite.ts";

const STEPS = Number(
  process.argv.find((arg) => arg.startsWith("--steps="))?.slice("--steps=".length) ?? 2000,
);
const tools = compileTools([
  {
    name: "exec_command",
    inputSchema: { type: "object", properties: { cmd: { type: "string" } }, required: ["cmd"] },
  },
]);

/** One action in the words of several samples: each does the same to the same files. */
const TASKS: readonly { readonly wordings: readonly string[]; readonly wrong: readonly string[] }[] = [
  {
    wordings: [
      'git commit -am "Fix the sum in src/cart.ts"',
      'git commit -am "Correct the sum in src/cart.ts"',
      "git commit -a -m 'src/cart.ts: fix the sum'",
      'git add src/cart.ts && git commit -m "Fix the sum"',
      'git commit src/cart.ts -m "Fix how the sum is computed"',
      'git add src/cart.ts; git commit -m "fix: sum of the cart"',
    ],
    wrong: [
      'git commit -am "Fix the sum in src/card.ts"',
      'git add src/chart.ts && git commit -m "Fix the sum"',
      'git commit --amend -am "Fix the sum in src/cart.ts"',
    ],
  },
  {
    wordings: [
      "sed -i 's/a - b/a + b/' lib/sum.js",
      "sed -i 's/a - b/a + b/g' lib/sum.js",
      "sed -i -e 's/a - b/a + b/' lib/sum.js",
      "perl -pi -e 's/a - b/a + b/' lib/sum.js",
      "perl -i -pe 's/a - b/a + b/g' lib/sum.js",
      'sed -i "s/a - b/a + b/" ./lib/sum.js',
    ],
    wrong: [
      "sed -i 's/a - b/a + b/' lib/sums.js",
      "sed -i 's/a - b/a + b/' src/sum.js",
      "sed -i 's/a - b/b + b/' lib/sum.js",
    ],
  },
  {
    wordings: [
      "npm install --save-dev vitest@5.1.0",
      "npm i -D vitest@5.1.0",
      "npm install -D vitest@5.1.0",
      "npm i --save-dev vitest@5.1.0 --no-audit",
      "npm install vitest@5.1.0 --save-dev",
      "npm add -D vitest@5.1.0",
    ],
    wrong: [
      "npm install --save-dev vitest@1.5.0",
      "npm install --global vitest@5.1.0",
      "npm i -D vite@5.1.0",
    ],
  },
  {
    wordings: [
      "rm -r build/cache && mkdir build/cache",
      "rm -rf build/cache; mkdir -p build/cache",
      "rm -rf build/cache/*",
      "find build/cache -mindepth 1 -delete",
      "rm -rf ./build/cache && mkdir -p ./build/cache",
      "rm -fr build/cache/ && mkdir build/cache/",
    ],
    wrong: [
      "rm -rf build/ && mkdir build/",
      "rm -rf build && mkdir -p build/cache",
      "rm -rf ./cache && mkdir -p ./cache",
    ],
  },
];

const VARIANTS: readonly { readonly name: string; readonly act: object }[] = [
  { name: "model alone", act: { vote: "never" } },
  { name: "exact: words must be equal", act: { exact: ["cmd"] } },
  { name: "default", act: {} },
  { name: "free: closest to all, at once", act: { free: ["cmd"] } },
];

export const suite: Suite = {
  title: "Free text in an agent's actions",
  about: `${STEPS} steps in each row, decided by the engine alone with k = 3. Each step is a shell command that right samples write in one of six ways; a wrong one (with probability 1 - p, independently) names another file, version or flag. The model is simulated, no helper is asked what means the same, and the wordings were made up for this table.`,
  async run() {
    const rows: string[][] = [];
    for (const p of [0.8, 0.9])
      for (const variant of VARIANTS)
        rows.push([String(p), variant.name, ...(await measure(p, variant.act))]);
    const columns = ["p", "words", "right", "wrong", "asked instead", "calls per step"];
    return [{ title: "Commands in different words", columns, rows } satisfies Table];
  },
};

async function measure(p: number, act: object): Promise<string[]> {
  const random = seeded(p * 1000);
  const ends = { right: 0, wrong: 0, asked: 0 };
  let calls = 0;
  for (let step = 0; step < STEPS; step++) {
    const { wordings, wrong } = TASKS[step % TASKS.length]!;
    const model: Model = {
      async complete({ purpose }) {
        if (purpose !== "act") throw new ModelError("only samples are simulated", { retryable: false });
        calls++;
        const from = random() < p ? wordings : wrong;
        const cmd = from[Math.floor(random() * from.length)]!;
        return {
          text: "",
          finishReason: "stop",
          usage: { inputTokens: 1, outputTokens: 1 },
          latencyMs: 1,
          toolCalls: [{ id: "1", name: "exec_command", input: JSON.stringify({ cmd }) }],
        };
      },
    };
    const request = {
      conversation: { bytes: 1 },
      prompt: "Do it",
      tools,
      choice: { type: "auto" },
      parallel: true,
      config: { act },
    } as const;
    const { metadata } = await runAction(request as never, { model, models: { voter: "simulated" }, random });
    const [called] = metadata.action?.calls ?? [];
    const cmd = called && JSON.parse(called.arguments).cmd;
    ends[cmd === undefined ? "asked" : wordings.includes(cmd) ? "right" : "wrong"]++;
  }
  const share = (count: number) => `${((100 * count) / STEPS).toFixed(1)} %`;
  return [share(ends.right), share(ends.wrong), share(ends.asked), (calls / STEPS).toFixed(2)];
}
