import type { Decomposition } from "@mci-ts/council";

/** What the service answers, as far as the console reads it. Fields a newer service adds are ignored. */

export interface ErrorBody {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details?: readonly { readonly path: string; readonly message: string }[];
  };
}

export interface ModelResponse {
  readonly result: string | Decomposition;
  readonly metadata: {
    readonly tool_used: string;
    readonly request_id: string;
    readonly timestamp: string;
    readonly performance: { readonly total_time_seconds: number };
    readonly routing: { readonly tool: string; readonly by: string; readonly rule: string };
    readonly model: string;
    readonly judge_model?: string;
    readonly status: string;
    readonly warnings: readonly string[];
    readonly answer?: unknown;
    readonly voting?: {
      readonly k: number;
      readonly converged: boolean;
      readonly confidence: number;
      readonly red_flagged: number;
      readonly samples: number;
      readonly clusters?: readonly {
        readonly answer: string;
        readonly votes: number;
        readonly members: readonly { readonly text: string; readonly count: number }[];
      }[];
    };
    readonly cached?: { readonly run: string; readonly age_seconds: number };
    readonly tools?: readonly { readonly tool: string; readonly requested: number }[];
    readonly council?: {
      readonly ranking?: {
        readonly scores: readonly {
          readonly seat: number;
          readonly points: number;
          readonly share: number;
        }[];
        readonly agrees_with_judge: boolean | null;
      };
      readonly proposals: readonly {
        readonly seat: number;
        readonly model: string;
        readonly answer?: unknown;
        readonly proposal?: string | null;
        readonly error?: string | null;
      }[];
    };
    readonly usage: {
      readonly calls: number;
      readonly input_tokens: number;
      readonly output_tokens: number;
      readonly aborted_calls: number;
      readonly cost_usd: number | null;
      readonly cost_source: string;
    };
  };
}

export interface RunSummary {
  readonly id: string;
  readonly status: string;
  readonly channel: string;
  readonly tool: string | null;
  readonly model: string | null;
  readonly prompt: string;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly calls: number | null;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly cost_usd: number | null;
  readonly cost_source: string | null;
}

export interface RunPage {
  readonly runs: readonly RunSummary[];
  readonly next_cursor: string | null;
}

/** The part of a request's `config` that the ask form can repeat. */
export interface RunConfig {
  readonly k?: number | "auto";
  readonly num_voters?: number;
  readonly model?: string;
  readonly models?: readonly string[];
  readonly judge_model?: string;
  readonly preset?: string;
  readonly criteria?: readonly string[];
  readonly peer_ranking?: boolean;
  readonly answer_schema?: Readonly<Record<string, unknown>>;
  readonly max_calls?: number;
  readonly max_usd?: number;
}

export interface RunDetail extends RunSummary {
  readonly request: {
    readonly prompt: string;
    readonly context?: unknown;
    readonly intent?: string;
    readonly config?: RunConfig;
  };
  readonly http_status: number | null;
  readonly response: ModelResponse | ErrorBody | null;
}

export interface Readiness {
  readonly status: string;
  readonly model?: string;
  readonly simulated?: boolean;
}
