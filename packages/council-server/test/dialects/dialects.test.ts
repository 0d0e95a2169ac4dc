import { CouncilError, type CouncilRequest, type CouncilResult } from "@mci-ts/council";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DIALECT_NAMES as FAKE_DIALECT_NAMES } from "../../../fake-provider/src/dialects/index.ts";
import type { ScriptInput } from "../../../fake-provider/src/script.ts";
import type { Style } from "../../../fake-provider/src/styles.ts";
import { STYLE_NAMES } from "../../../fake-provider/src/styles.ts";
import { DIALECT_NAMES, type DialectName } from "../../src/providers/dialects/index.ts";
import { type Endpoint, openEndpoint } from "./provider.ts";

it("every dialect of the fake provider is one of the service's", () => {
  expect(FAKE_DIALECT_NAMES.filter((name) => !DIALECT_NAMES.includes(name))).toEqual([]);
});

/** What a model wrote in these styles is broken: red flags, whatever the provider. */
const DAMAGE: ReadonlySet<Style> = new Set(["refusal", "two-objects", "trailing-comma", "truncated"]);

interface Story {
  readonly request: CouncilRequest;
  readonly script: NonNullable<ScriptInput["behaviour"]>;
  readonly check: (result: CouncilResult) => void;
}

const STORIES: Readonly<Record<string, Story>> = {
  vote: {
    request: { prompt: "How many legs does a spider have?", intent: "validation", config: { k: 2 } },
    script: { truth: "8" },
    check: ({ metadata }) => expectVotes(metadata, "8"),
  },
  choice: {
    request: { prompt: "Is it better to use tabs or spaces?", config: { k: 2 } },
    script: { truth: "tabs" },
    check: ({ metadata }) => expectVotes(metadata, "tabs"),
  },
  equivalence: {
    request: { prompt: "What is the capital of France?", config: { k: 2 } },
    // Two wordings that only a model can tell to be the same.
    script: {
      truth: "It is the City of Paris",
      wrong: ["The answer is it is the city of Paris"],
      accuracy: 0.5,
    },
    check: ({ metadata }) => expect(metadata.voting!.converged).toBe(true),
  },
  council: {
    request: {
      prompt: "Design a cache for our API and explain the trade-offs in depth.",
      intent: "decision",
    },
    script: { truth: "Use an LRU cache" },
    check: ({ result }) => expect(result).toContain("Use an LRU cache"),
  },
  decompose: {
    request: { prompt: "Break the migration to Postgres down into steps.", intent: "decomposition" },
    script: { truth: "Migrate" },
    check: ({ result }) => expect(JSON.stringify(result)).toContain("Check the result"),
  },
};

function expectVotes({ voting }: CouncilResult["metadata"], answer: string): void {
  const votes = Object.entries(voting!.votes).map(([wording, count]) => [wording.trim(), count]);
  expect({ converged: voting!.converged, votes }).toEqual({ converged: true, votes: [[answer, 2]] });
}

/**
 * Every style meets every dialect in a vote. The other stories are dealt out to each third pair, so that each of them meets every
 * dialect and every style.
 */
function storiesFor(dialect: DialectName, style: Style): readonly [string, Story][] {
  const [vote, ...others] = Object.entries(STORIES);
  const dealt = DIALECT_NAMES.indexOf(dialect) + STYLE_NAMES.indexOf(style);
  return dealt % 3 === 0 ? [vote!, others[dealt % others.length]!] : [vote!];
}

it("every kind of council meets every dialect and every style", () => {
  const met = (dialects: readonly DialectName[], styles: readonly Style[]) =>
    new Set(
      dialects.flatMap((one) => styles.flatMap((style) => storiesFor(one, style).map(([name]) => name))),
    );
  const all = new Set(Object.keys(STORIES));
  for (const dialect of DIALECT_NAMES) expect(met([dialect], STYLE_NAMES), dialect).toEqual(all);
  for (const style of STYLE_NAMES) expect(met(DIALECT_NAMES, [style]), style).toEqual(all);
});

describe.each(DIALECT_NAMES)("a council on %s", (dialect) => {
  let endpoint: Endpoint;
  beforeAll(async () => {
    endpoint = await openEndpoint(dialect);
  });
  afterAll(() => endpoint.provider.close());

  it.each(STYLE_NAMES)(
    "gives good answers, or says what is wrong, with a model whose style is %s [M-styles]",
    async (style) => {
      for (const [name, { request, script, check }] of storiesFor(dialect, style)) {
        endpoint.provider.script({ behaviour: { ...script, style } });
        const result = await endpoint.run(request).catch((error: unknown) => error);
        const calls = endpoint.provider.stats.arrivals;
        if (DAMAGE.has(style)) {
          expect(result, `${name}: ${style} must be refused`).toBeInstanceOf(CouncilError);
          expect((result as CouncilError).code, name).toMatch(
            /^(no_valid_answer|no_quorum|invalid_decomposition)$/,
          );
          expect(calls, name).toBeLessThanOrEqual(12);
        } else {
          if (result instanceof Error) throw new Error(`${name}: ${result.message}`, { cause: result });
          check(result as CouncilResult);
          expect(calls, name).toBeLessThanOrEqual(14);
        }
      }
    },
  );
});
