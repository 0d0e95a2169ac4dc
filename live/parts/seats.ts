import { join } from "node:path";
import { route } from "../../packages/council/src/routing/router.ts";
import { isAccepted } from "../../packages/council-eval/src/judging/accepted.ts";
import { type Question, readQuestions } from "../../packages/council-eval/src/questions/questions.ts";
import { mcnemar } from "../../packages/council-eval/src/statistics/statistics.ts";
import { cacheFolder } from "../model/cache.ts";
import { startReplyCache } from "../model/reply-cache.ts";
import type { Part } from "../part.ts";
import type { Service } from "../service.ts";
import { CORPUS, spread } from "./evaluation.ts";

const SEATS = 3;
const AT_A_TIME = 2;

/** Which answers to one question were right. */
interface Outcome {
  readonly kind: string;
  readonly council: boolean;
  readonly seats: readonly boolean[];
}

export const seatsPart: Part = {
  name: "seats",
  title: "A council against its seats on questions with a known answer",
  about: `Councils of ${SEATS} seats and a judge, asked for by \`"intent": "decision"\`, on questions of \`live/corpus/fit.jsonl\`. The best seat is the one that was right most often, found afterwards.`,
  async run({ model, modelUrl, questions, startService, progress }) {
    const cache = await startReplyCache(modelUrl, join(cacheFolder(), `replies-${model.name}.jsonl`));
    const service = await startService({ MAKER_API_URL: cache.url });
    const chosen = spread(readQuestions(join(CORPUS, "fit.jsonl")), questions);
    const outcomes: Outcome[] = [];
    const next = chosen.values();
    const work = async () => {
      for (const question of next) {
        outcomes.push(await askCouncil(service, question));
        progress(`${outcomes.length}/${chosen.length}`);
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, work));
    cache.close();
    const rightOf = (seat: number) => outcomes.filter(({ seats }) => seats[seat]).length;
    const best = Array.from({ length: SEATS }, (_, i) => i).reduce((a, b) =>
      rightOf(b) > rightOf(a) ? b : a,
    );
    const onlyCouncil = outcomes.filter(({ council, seats }) => council && !seats[best]).length;
    const onlySeat = outcomes.filter(({ council, seats }) => !council && seats[best]).length;
    const p = mcnemar(onlyCouncil, onlySeat);
    const routed = chosen.filter(({ prompt }) => route({ prompt }).tool === "consult_council").length;
    return [
      {
        what: "council right",
        ours: `${outcomes.filter(({ council }) => council).length} of ${chosen.length}`,
      },
      { what: "seats right", ours: Array.from({ length: SEATS }, (_, i) => rightOf(i)).join(", ") },
      {
        what: `council against its best seat, number ${best + 1}`,
        ours: `only the council right: ${onlyCouncil}, only the seat right: ${onlySeat}`,
        target: "not worse",
        met: onlyCouncil >= onlySeat || p > 0.05,
        note: `exact McNemar, p = ${p.toFixed(3)}`,
      },
      { what: "routed to the council without an intent", ours: `${routed} of ${chosen.length}` },
      {
        title: "By kind",
        columns: ["kind", "questions", "council right", "best seat right"],
        rows: [...Map.groupBy(outcomes, ({ kind }) => kind)].map(([kind, all]) => [
          kind,
          ...[all, all.filter(({ council }) => council), all.filter(({ seats }) => seats[best])].map(
            ({ length }) => String(length),
          ),
        ]),
      },
    ];
  },
};

/** A run that fails, and a seat that does, has no right answer. */
async function askCouncil(service: Service, question: Question): Promise<Outcome> {
  const { prompt, context, schema, kind = "" } = question;
  const config = {
    num_voters: SEATS,
    deadline_ms: DEADLINE_MS,
    ...(schema ? { answer_schema: schema } : {}),
  };
  const { body } = await service.ask({ prompt, context, intent: "decision", config });
  const isRight = (answer: unknown) =>
    answer != null && isAccepted(question, answer as string | object) === true;
  const { proposals = [] } = (body.metadata?.["council"] ?? {}) as { proposals?: { answer: unknown }[] };
  return {
    kind,
    council: isRight(body.metadata?.answer),
    seats: Array.from({ length: SEATS }, (_, i) => isRight(proposals[i]?.answer)),
  };
}

const DEADLINE_MS = 300_000;
