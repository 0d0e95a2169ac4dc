import { EventEmitter } from "node:events";
import type { Server } from "node:http";
import * as fc from "fast-check";
import { limitSlowClients } from "./slow-clients.ts";

/** Stands in for a socket: a million real ones would take days. */
class Connection extends EventEmitter {
  writable = true;
  isDestroyed = false;
  /** As Node.js has it: the response of the request that is being served. */
  _httpMessage: object | null = null;
  request: { socket: Connection; complete: boolean } | undefined;

  get isServed(): boolean {
    return this.request?.complete === true && this._httpMessage !== null;
  }
  destroy(): void {
    this.isDestroyed = true;
    this.writable = false;
    this.emit("close");
  }
}

const step = fc.record({
  action: fc.constantFrom("connect", "connect", "connect", "headers", "complete", "respond", "leave"),
  which: fc.nat(30),
});

export default [
  {
    name: "slow clients: at the limit the oldest without a complete request gives way, and none that is served",
    property: fc.property(
      fc.integer({ min: 1, max: 6 }),
      fc.array(step, { maxLength: 40, size: "max" }),
      (maxConnections, steps) => {
        const server = new EventEmitter();
        limitSlowClients(server as Server, { maxConnections });
        const all: Connection[] = [];
        const isRight = steps.every(({ action, which }) => {
          const open = all.filter(({ isDestroyed }) => !isDestroyed);
          if (action === "connect") {
            const slow = open.find(({ isServed }) => !isServed);
            const expected = open.length >= maxConnections && slow !== undefined ? [slow] : [];
            const connection = new Connection();
            server.emit("connection", connection);
            all.push(connection);
            const ended = open.filter(({ isDestroyed }) => isDestroyed);
            return ended.length === expected.length && ended[0] === expected[0] && !connection.isDestroyed;
          }
          const connection = open[which % Math.max(1, open.length)];
          if (connection === undefined) return true;
          if (action === "leave") connection.destroy();
          else if (action === "headers" && connection._httpMessage === null) {
            connection.request = { socket: connection, complete: false };
            connection._httpMessage = {};
            server.emit("request", connection.request);
          } else if (action === "complete" && connection.request) connection.request.complete = true;
          else if (action === "respond") connection._httpMessage = null;
          return true;
        });
        server.emit("close");
        return isRight;
      },
    ),
  },
];
