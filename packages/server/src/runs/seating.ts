import type { CouncilEvent, EventSink, Model, ModelRequest, ModelUsage } from "@mci-ts/council";

/**
 * Gives the seats of a council different models, in turn. The engine knows one voter; so the model is exchanged on the way out, and
 * what is reported about the call, its event and its price, names the model that was really asked.
 */
export class Seating {
  readonly #names: readonly string[];
  /** A seat keeps its model through retries: its messages are the same object each time. */
  readonly #seats = new WeakMap<object, string>();
  readonly #askedFor = new WeakMap<ModelUsage, string>();
  #taken = 0;
  #held: ((model: string) => void) | undefined;

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  model(inner: Model): Model {
    return {
      complete: async (request, signal) => {
        if (request.purpose !== "seat") return inner.complete(request, signal);
        const model = this.#modelOf(request);
        this.#release(model);
        const reply = await inner.complete({ ...request, model }, signal);
        this.#askedFor.set(reply.usage, model);
        return reply;
      },
    };
  }

  /** The engine says that a call begins right before it makes it: the event waits that long to learn its model. */
  events(sink: EventSink): EventSink {
    return (event) => {
      this.#release(this.#names[0]!);
      if (event.type !== "call.started" || event.purpose !== "seat") sink(event);
      else this.#held = (model) => sink({ ...event, model } as CouncilEvent);
    };
  }

  price(inner: (model: string, usage: ModelUsage) => number | undefined): typeof inner {
    return (model, usage) => inner(this.#askedFor.get(usage) ?? model, usage);
  }

  #modelOf({ messages }: ModelRequest): string {
    const model = this.#seats.get(messages) ?? this.#names[this.#taken++ % this.#names.length]!;
    this.#seats.set(messages, model);
    return model;
  }

  #release(model: string): void {
    const held = this.#held;
    this.#held = undefined;
    held?.(model);
  }
}
