import { type ClientRequest, request } from "node:http";
import { PROMPT, TRUTH } from "./council-ways.ts";

/** The lead that every vote here needs. */
export const K = 3;
const BODY = JSON.stringify({ prompt: PROMPT, intent: "validation", config: { k: K } });

/** A vote asked of the service, and what has arrived of it. */
export interface PendingVote {
  readonly sent: ClientRequest;
  /** The id of the run; known as soon as the answer begins. */
  readonly id: Promise<string>;
  readonly firstEvent: Promise<void>;
  readonly answered: Promise<void>;
}

export function ask(service: string, headers: Record<string, string> = {}): PendingVote {
  const [id, firstEvent, answered] = [
    Promise.withResolvers<string>(),
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
  ];
  const sent = request(`${service}/mcp/model`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
  });
  sent.on("error", answered.reject).end(BODY);
  sent.on("response", (response) => {
    id.resolve(String(response.headers["x-request-id"]));
    let text = "";
    response.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      if (/^data:.*\n/m.test(text)) firstEvent.resolve();
    });
    response.on("error", answered.reject).on("end", () => {
      if (text.includes(TRUTH)) answered.resolve();
      else answered.reject(new Error(`a wrong answer: ${text.slice(0, 500)}`));
    });
  });
  return { sent, id: id.promise, firstEvent: firstEvent.promise, answered: answered.promise };
}
