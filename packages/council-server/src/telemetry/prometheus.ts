/** Metrics in the Prometheus text format; the format is too small to need a library. */
export class Metrics {
  readonly #families: { readonly lines: () => string[] }[] = [];
  readonly #reads: (() => Promise<void>)[] = [];

  counter<Label extends string>(name: string, help: string): Counter<Label> {
    const values = new Map<string, number>();
    this.#add(name, help, "counter", () => [...values].map(([labels, value]) => `${name}${labels} ${value}`));
    return {
      add(labels, amount = 1) {
        const key = labelText(labels);
        values.set(key, (values.get(key) ?? 0) + amount);
      },
    };
  }

  /** A counter without labels. It has a sample from the first scrape on: Prometheus sees no increase where one begins with its first event. */
  total(name: string, help: string): Counter<never> {
    const counter = this.counter<never>(name, help);
    counter.add({}, 0);
    return counter;
  }

  /** A value that another part holds, read on each scrape. undefined: it is not known, and left out. */
  observeValue(type: "gauge" | "counter", name: string, help: string, value: () => number | undefined): void {
    this.#add(name, help, type, () => {
      const current = value();
      return current === undefined ? [] : [`${name} ${current}`];
    });
  }

  /** Adds what is read before each scrape. It must end in time, and never rejects. */
  beforeScrape(read: () => Promise<void>): void {
    this.#reads.push(read);
  }

  /** As `observeValue`, with a value for each of a few labels. */
  observeValues(
    type: "gauge" | "counter",
    name: string,
    help: string,
    label: string,
    values: () => ReadonlyMap<string, number>,
  ): void {
    this.#add(name, help, type, () =>
      [...values()].map(([key, value]) => `${name}${labelText({ [label]: key })} ${value}`),
    );
  }

  histogram<Label extends string>(name: string, help: string, buckets: readonly number[]): Histogram<Label> {
    const series = new Map<
      string,
      { labels: Record<string, string>; counts: number[]; sum: number; count: number }
    >();
    this.#add(name, help, "histogram", () =>
      [...series.values()].flatMap(({ labels, counts, sum, count }) => [
        ...buckets.map(
          (le, index) => `${name}_bucket${labelText({ ...labels, le: String(le) })} ${counts[index]}`,
        ),
        `${name}_bucket${labelText({ ...labels, le: "+Inf" })} ${count}`,
        `${name}_sum${labelText(labels)} ${sum}`,
        `${name}_count${labelText(labels)} ${count}`,
      ]),
    );
    return {
      observe(labels, value) {
        const key = labelText(labels);
        const one = series.get(key) ?? { labels, counts: buckets.map(() => 0), sum: 0, count: 0 };
        series.set(key, one);
        one.sum += value;
        one.count++;
        // Buckets are cumulative: a value counts in every bucket at or above it.
        for (let index = buckets.length - 1; index >= 0 && value <= buckets[index]!; index--)
          one.counts[index]!++;
      },
    };
  }

  async render(): Promise<string> {
    await Promise.all(this.#reads.map((read) => read()));
    return `${this.#families.flatMap(({ lines }) => lines()).join("\n")}\n`;
  }

  #add(name: string, help: string, type: string, lines: () => string[]): void {
    this.#families.push({ lines: () => [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines()] });
  }
}

export interface Counter<Label extends string> {
  add(labels: Record<Label, string>, amount?: number): void;
}

export interface Histogram<Label extends string> {
  observe(labels: Record<Label, string>, value: number): void;
}

function labelText(labels: Readonly<Record<string, string>>): string {
  let pairs = "";
  // Each call of a model comes here several times: no arrays are made.
  for (const name in labels) pairs += `${pairs === "" ? "{" : ","}${name}="${escapeLabel(labels[name]!)}"`;
  return pairs === "" ? "" : `${pairs}}`;
}

function escapeLabel(value: string): string {
  if (!/[\\\n"]/.test(value)) return value;
  return value.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}
