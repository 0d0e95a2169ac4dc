import type { CampaignResult } from "./campaign.ts";
import { FAULTS } from "./faults.ts";

export interface ReportContext {
  readonly seed: number;
  readonly minutes: number;
  readonly machine: string;
}

const MAX_VIOLATIONS = 30;

/** The part of bench/results.md that says what was done and what was found. */
export function toMarkdown(result: CampaignResult, { seed, minutes, machine }: ReportContext): string {
  const { counts, strikes, violations } = result;
  const rows = [...strikes].map(([name, times]) => {
    const about = FAULTS.find((fault) => fault.name === name)?.about ?? "";
    return `| ${name} | ${about} | ${typeof times === "number" ? times : `not here: ${times}`} |`;
  });
  const setUp = result.pooled
    ? "one of them through pgbouncer in session mode"
    : "without a pooler, which is not installed";
  return `## Three instances in bad weather

\`npm run chaos -- --minutes ${minutes} --seed ${seed}\`: three service processes, ${setUp}, ${result.postgres}, a simulated model provider that takes 15 ms and is wrong in one of twenty answers.
Ten clients start tasks of 60 to 200 steps and follow them, three ask questions; faults strike one after the other.

Run on ${new Date().toISOString().slice(0, 10)}: ${machine}

| Fault | What happens | Times |
| --- | --- | ---: |
${rows.join("\n")}

| Load | |
| --- | ---: |
| tasks acknowledged | ${counts.tasks} |
| complete, cancelled by their clients | ${counts.complete}, ${counts.cancelled} |
| paused when they had spent their calls, as their clients wanted | ${counts.outOfBudget} |
| steps recorded | ${counts.steps} |
| runs acknowledged | ${counts.runs} |
| paused tasks that a client resumed | ${counts.resumed} |
| tasks lost with the commits of an asynchronous failover | ${counts.lost} |
| starts of instances | ${counts.starts} |
${Object.entries(counts.exits)
  .map(([reason, times]) => `| ends that no fault asked for: ${reason} | ${times} |`)
  .join("\n")}

${violations.length === 0 ? "Nothing was found: no step wrong, lost or twice, one task for each key, cancelled tasks stay cancelled, every acknowledged run exists, no budget exceeded, no task stuck or without an end that its client caused, no instance ended without a stated reason, and every instance takes work again." : formatViolations(result)}`;
}

function formatViolations({ violations }: CampaignResult): string {
  const left = violations.length - MAX_VIOLATIONS;
  const lines = violations.slice(0, MAX_VIOLATIONS).map(({ check, detail }) => `- ${check}: ${detail}`);
  return `Found (${violations.length}):\n\n${[...lines, ...(left > 0 ? [`- and ${left} more`] : [])].join("\n")}`;
}
