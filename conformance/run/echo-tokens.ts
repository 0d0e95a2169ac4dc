import type { ServerResponse } from "node:http";
import { type EchoRequest, pairs } from "./echo-request.ts";

/** An OAuth 2 token endpoint that numbers its tokens, and an endpoint that accepts only them. */
export class TokenEndpoint {
  /** The forms that each client sent. */
  readonly #requests = new Map<string, Record<string, string>[]>();

  /** `POST /token`: the nth token for a client is `<client_id>-<n>`. */
  issue({ body }: EchoRequest, response: ServerResponse): void {
    const form = Object.fromEntries(pairs(body));
    const { client_id: client = "", client_secret: secret, grant_type: grant } = form;
    const requests = [...(this.#requests.get(client) ?? []), form];
    this.#requests.set(client, requests);
    const isRight = grant === "client_credentials" && secret === "right";
    const token = { access_token: `${client}-${requests.length}`, token_type: "Bearer", expires_in: 3600 };
    const refusal = { error: "invalid_client", error_description: "wrong secret" };
    json(response, isRight ? 200 : 401, isRight ? token : refusal);
  }

  /** `GET /tokens/<client_id>`: how many requests arrived for this client, and the last one's form. */
  count({ steps }: EchoRequest, response: ServerResponse): void {
    const requests = this.#requests.get(steps[1] ?? "") ?? [];
    json(response, 200, { count: requests.length, last: requests.at(-1) });
  }

  /** `GET /protected/<client_id>/<n>`: takes only the nth token of that client, or a later one. */
  guard({ steps, headers }: EchoRequest, response: ServerResponse): void {
    const [, client, first] = steps;
    const [, owner, number] = /^Bearer (.+)-(\d+)$/.exec(headers["authorization"] ?? "") ?? [];
    const isValid = owner === client && Number(number) >= Number(first);
    json(
      response,
      isValid ? 200 : 401,
      isValid ? { token: `${owner}-${number}` } : { error: "invalid_token" },
    );
  }
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}
