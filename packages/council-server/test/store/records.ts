import type { StoreRecord } from "../../src/store/records.ts";

/** Records of the history, as the service writes them. */
export const started = (id: string, at = Date.now(), more: object = {}): StoreRecord => ({
  kind: "started",
  id,
  at,
  channel: "http",
  prompt: `prompt of ${id}`,
  request: JSON.stringify({ prompt: `prompt of ${id}` }),
  fingerprint: `print-${id}`,
  ...more,
});
export const event = (id: string, seq: number, body: { type: string }): StoreRecord => ({
  kind: "event",
  id,
  seq,
  at: seq,
  type: body.type,
  data: JSON.stringify({ seq, ...body }),
});
export const ended = (id: string, more: object = {}): StoreRecord => ({
  kind: "ended",
  id,
  at: Date.now(),
  status: "complete",
  httpStatus: 200,
  response: JSON.stringify({ result: `result of ${id}` }),
  tool: "solve_with_voting",
  model: "sim",
  ...more,
});
