import type { RequestConfig } from "../request-config.ts";
import type { CouncilMetadata, CouncilResult, Routing } from "../result.ts";
import type { Run } from "../run.ts";
import type { SimulatedReply } from "../simulated/request.ts";

/**
 * One way to answer a request. Routing by intent, the assisted router, MCP tools, chat models, the simulated model, the form of the page
 * and documentation are derived from these values: a new strategy is one file with one of them, and one line in `strategies.ts`.
 */
export interface Strategy {
  /** Its name as a chat model, e.g. `vote`. */
  readonly name: string;
  /** Its name as an MCP tool and in `metadata.tool_used`. */
  readonly tool: string;
  /** Its name on the web page. */
  readonly label: string;
  /**
   * The values of `intent` that select it, each with its label in the form of the web page; the first is used where the strategy is picked
   * by name.
   */
  readonly intents: Readonly<Record<string, string>>;
  /** What it is for and what it does, in one sentence for callers and models. */
  readonly description: string;
  /** Which requests it suits, for the assisted router: completes "if the request …". */
  readonly suits: string;
  /** Its MCP tool's arguments: other names of `prompt`, and the fields of `config` it also takes directly. */
  readonly input: {
    readonly aliases: readonly string[];
    readonly config: readonly ("k" | "num_voters" | "answer_schema")[];
  };
  /** Fields of `config` that change nothing here. A caller who sets one is told. */
  readonly ignores: readonly (keyof RequestConfig)[];
  /** Its votes are answers to one question, so that their agreement tells how sure the answer is. */
  readonly measuresAgreement: boolean;
  /** The purposes of its own model calls, each with the reply of the simulated model. */
  readonly simulated: Readonly<Record<string, SimulatedReply>>;
  readonly run: (run: Run, routing: Routing) => Promise<Answer>;
}

/** What a strategy finds out; the composer adds what every run reports. */
export interface Answer
  extends Pick<
    CouncilMetadata,
    "status" | "warnings" | "answer" | "model" | "judge_model" | "voting" | "council" | "escalation"
  > {
  /** The tool of the strategy that gave it, which after an escalation is not the one that was chosen. */
  readonly tool: string;
  readonly result: CouncilResult["result"];
}
