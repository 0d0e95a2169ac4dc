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
    readonly council?: {
      readonly confidence?: number;
      readonly proposals: readonly {
        readonly seat: number;
        readonly model: string;
        readonly answer?: string | null;
        readonly proposal?: string;
        readonly error?: string;
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

export interface RunDetail extends RunSummary {
  readonly request: {
    readonly prompt: string;
    readonly context?: unknown;
    readonly intent?: string;
    readonly config?: unknown;
  };
  readonly http_status: number | null;
  readonly response: ModelResponse | ErrorBody | null;
}

export interface Readiness {
  readonly status: string;
  readonly model?: string;
  readonly simulated?: boolean;
}
