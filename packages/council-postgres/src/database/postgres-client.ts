import pg from "pg";

/** Settings of a connection beside those of `pg`. */
export interface ClientConfig extends pg.ClientConfig {
  /** How long the server may take to answer. Later than that the connection is given up, whatever state it is in. */
  readonly answerTimeoutMs: number;
  /** Called when a connection was given up: others that lead the same way may be dead, too. */
  readonly onTimeout?: () => void;
  /** As libpq has it: the only kind of authentication that the client takes part in. */
  readonly require_auth?: string;
}

/**
 * A connection that never waits forever. A server that was cut off without a word (a half-open connection) answers nothing and
 * refuses nothing: the socket is destroyed, and what was sent fails as with any lost connection.
 */
export class TimedClient extends pg.Client {
  /** May be changed between two statements. */
  answerTimeoutMs: number;
  #hasTimedOut = false;
  #timer: NodeJS.Timeout | undefined;

  // The pool calls it with its own options.
  constructor(config: ClientConfig) {
    super(config);
    this.answerTimeoutMs = config.answerTimeoutMs;
    // Without a listener an error ends the process. A server that dies can send one in the same packet that opens the connection,
    // before the caller has it; what is sent next fails with the reason.
    this.on("error", () => undefined);
    const stopTimer = () => clearTimeout(this.#timer);
    this.on("drain", stopTimer).on("end", stopTimer);
    const send = this.query;
    this.query = ((...args: unknown[]) => {
      stopTimer();
      this.#timer = setTimeout(() => {
        this.#hasTimedOut = true;
        this.destroy();
        config.onTimeout?.();
      }, this.answerTimeoutMs);
      return Reflect.apply(send, this, args);
    }) as typeof this.query;
    const end = this.end;
    this.end = ((...args: unknown[]) => {
      // A server that is cut off never confirms the end.
      const timer = setTimeout(() => this.destroy(), END_TIMEOUT_MS);
      timer.unref();
      this.once("end", () => clearTimeout(timer));
      return Reflect.apply(end, this, args);
    }) as typeof this.end;
    if (config.require_auth === "scram-sha-256") requireScram(this);
  }

  /** It was given up because the server did not answer. */
  get hasTimedOut(): boolean {
    return this.#hasTimedOut;
  }

  /** Closes the socket without a farewell. */
  destroy(): void {
    this.connection.stream.destroy();
  }
}

const END_TIMEOUT_MS = 1000;

/**
 * With SCRAM both sides prove that they know the password, and neither sends it. Another program that listens on the port could
 * ask for it in clear text or as MD5, or for nothing at all: then the connection ends before anything of ours is sent.
 */
function requireScram(client: TimedClient): void {
  const { connection } = client as unknown as { connection: AuthenticatedConnection };
  let proven = false;
  const refuse = () => {
    connection.emit("error", new Error("the server does not prove that it knows the password (SCRAM)"));
    client.destroy();
  };
  // The one message with a password or its MD5.
  connection.password = refuse;
  // `pg` checks the proof itself, and ends the connection if it is wrong.
  connection.once("authenticationSASLFinal", () => {
    proven = true;
  });
  connection.once("authenticationOk", () => {
    if (!proven) refuse();
  });
}

interface AuthenticatedConnection extends pg.Connection {
  password: (password: string) => void;
}
