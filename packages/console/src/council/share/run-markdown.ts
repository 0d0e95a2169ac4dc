import type { Capsule } from "@mci-ts/council-server/api";

/** A run as a text for people: the question, the answer, the votes, the proposals and the calls. */
export function runMarkdown({ run, calls, exported_at }: Capsule): string {
  const { response } = run;
  const metadata = response && "metadata" in response ? response.metadata : undefined;
  const answer = metadata?.answer;
  return [
    `# ${line(run.prompt).slice(0, 120)}`,
    facts({
      Run: run.id,
      Status: run.status,
      Method: run.tool ?? "–",
      Model: metadata?.model === "simulated" ? "simulated: no language model was asked" : (run.model ?? "–"),
      Started: run.started_at,
      Ended: run.ended_at ?? "–",
      Calls: run.calls ?? "–",
      Cost: run.cost_usd === null ? "unknown" : `$${run.cost_usd}`,
      Exported: exported_at,
    }),
    "## Question",
    quoted(run.prompt),
    "## Answer",
    answer === null || answer === undefined ? "No answer was decided." : quoted(text(answer)),
    ...(metadata?.voting ? ["## Votes", table(metadata.voting.votes)] : []),
    ...(metadata?.council ?? { proposals: [] }).proposals.flatMap(
      ({ seat, model, answer: given, proposal, error }) => [
        `## Seat ${seat} (${line(model)})`,
        ...(given === null ? [] : [`Answer: ${line(text(given))}`]),
        quoted(error ?? proposal ?? ""),
      ],
    ),
    "## Calls",
    ...calls.flatMap(({ call, purpose, model, reply, red_flag, error }) => [
      `### Call ${call}: ${purpose}, ${line(model)}${red_flag ? `, discarded (${red_flag.rule}: ${line(red_flag.reason)})` : ""}`,
      quoted(reply ?? error ?? ""),
    ]),
  ]
    .filter((part) => part !== "")
    .join("\n\n")
    .concat("\n");
}

const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
const line = (value: string) => value.replaceAll(/\s+/g, " ").replaceAll(/([|<>`*_[\]])/g, "\\$1");
/** A code block that no text can leave: its fence is longer than any in the text. */
function quoted(value: string): string {
  const longest = Math.max(2, ...(value.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return value === "" ? "" : `${fence}text\n${value}\n${fence}`;
}

const facts = (values: Readonly<Record<string, unknown>>) =>
  Object.entries(values)
    .map(([name, value]) => `- ${name}: ${value}`)
    .join("\n");

const table = (votes: Readonly<Record<string, number>>) =>
  [
    "| Answer | Votes |",
    "| --- | ---: |",
    ...Object.entries(votes).map(([name, count]) => `| ${line(name)} | ${count} |`),
  ].join("\n");
