import { createRequire } from "node:module";
import { join } from "node:path";
import type { Behaviour } from "../behaviour/explain.ts";
import { isMeasured, type Row } from "../speed/rounds.ts";

/** The little of echarts that is used here: it draws SVG without a browser. */
interface Echarts {
  init(
    dom: null,
    theme: null,
    options: object,
  ): { setOption(option: object): void; renderToSVGString(): string; dispose(): void };
}

/** One colour and one shape for each contestant, in every chart. */
const LOOKS: Readonly<Record<string, { color: string; symbol: string }>> = {
  bare: { color: "#8a8f98", symbol: "diamond" },
  "mci-ts": { color: "#2a78d6", symbol: "circle" },
  "mci-py": { color: "#eb6834", symbol: "rect" },
  utcp: { color: "#1b9e6f", symbol: "triangle" },
};

const INK = "#1f2328";
const QUIET = "#656d76";
const GRID = { lineStyle: { color: "#e6e8eb" } };

export class Charts {
  readonly #echarts: Echarts;

  /** The folder that the plotting library is installed in. */
  constructor(folder: string) {
    this.#echarts = createRequire(join(folder, "package.json"))("echarts");
  }

  /** Cases by topic: what passes, and why the rest does not. */
  behaviour({ topics }: Behaviour): string {
    const series = (name: string, color: string, values: number[]) => ({
      name,
      type: "bar",
      stack: "cases",
      barWidth: 18,
      data: values.map((value) => (value === 0 ? null : value)),
      itemStyle: { color, borderColor: "#ffffff", borderWidth: 1 },
      label: { show: true, color: "#ffffff", fontSize: 11 },
      labelLayout: { hideOverlap: true },
    });
    return this.#render(700, 90 + topics.length * 32, {
      title: title("mci-py 1.2 on the conformance cases"),
      legend: legend(),
      xAxis: { type: "value", splitLine: GRID, axisLabel: { color: QUIET } },
      yAxis: categories(topics.map(({ topic }) => topic)),
      series: [
        series(
          "as here",
          "#6b7785",
          topics.map(({ passes }) => passes),
        ),
        series(
          "otherwise, our decision",
          LOOKS["mci-ts"]!.color,
          topics.map(({ decisions }) => decisions),
        ),
        series(
          "otherwise, its defect",
          LOOKS["mci-py"]!.color,
          topics.map(({ defects }) => defects),
        ),
      ],
    });
  }

  /** Every row as multiples of ours, on a logarithmic axis. */
  speed(rows: readonly Row[]): string {
    const names = Object.keys(LOOKS);
    const points = (name: string) =>
      rows.flatMap((row, index) => {
        const [ours, other] = [row.outcomes["mci-ts"], row.outcomes[name]];
        return isMeasured(ours) && isMeasured(other) ? [[other.median / ours.median, index]] : [];
      });
    return this.#render(760, 110 + rows.length * 26, {
      title: title("Time of one call, mci-ts = 1 (left is faster)"),
      legend: legend(),
      xAxis: {
        type: "log",
        splitLine: GRID,
        axisLabel: { color: QUIET, formatter: (value: number) => `${value} x` },
      },
      yAxis: {
        ...categories(rows.map(({ what }) => what.replaceAll("`", ""))),
        splitLine: { show: true, ...GRID },
      },
      series: names.map((name) => ({
        name,
        type: "scatter",
        symbol: LOOKS[name]!.symbol,
        symbolSize: 11,
        itemStyle: { color: LOOKS[name]!.color, borderColor: "#ffffff", borderWidth: 1 },
        data: points(name),
      })),
    });
  }

  /** Milliseconds until something is there. */
  starts(rows: readonly Row[]): string {
    const names = Object.keys(LOOKS).filter((name) => rows.some((row) => isMeasured(row.outcomes[name])));
    return this.#render(700, 100 + rows.length * names.length * 22, {
      title: title("Start, in milliseconds"),
      legend: legend(),
      xAxis: { type: "value", splitLine: GRID, axisLabel: { color: QUIET } },
      yAxis: categories(rows.map(({ what }) => what.replaceAll("`", ""))),
      series: names.map((name) => ({
        name,
        type: "bar",
        barWidth: 14,
        barGap: "15%",
        itemStyle: { color: LOOKS[name]!.color },
        label: { show: true, position: "right", color: INK, fontSize: 11 },
        data: rows.map(({ outcomes: { [name]: outcome } }) =>
          isMeasured(outcome) ? Math.round(outcome.median / 1000) : null,
        ),
      })),
    });
  }

  #render(width: number, height: number, option: object): string {
    const chart = this.#echarts.init(null, null, { renderer: "svg", ssr: true, width, height });
    chart.setOption({
      animation: false,
      backgroundColor: "#ffffff",
      textStyle: { fontFamily: "system-ui, -apple-system, Segoe UI, Roboto, Arial, sans-serif" },
      grid: { left: 32, right: 40, top: 64, bottom: 12, containLabel: true },
      ...option,
    });
    const svg = chart.renderToSVGString();
    // Its frames would keep the process running for ever.
    chart.dispose();
    return `${svg}\n`;
  }
}

function title(text: string): object {
  return { text, left: 8, top: 6, textStyle: { fontSize: 15, color: INK, fontWeight: 600 } };
}

function legend(): object {
  return { left: 8, top: 32, itemHeight: 10, itemWidth: 14, itemGap: 24, textStyle: { color: INK } };
}

/** From top to bottom, as in the tables. */
function categories(names: readonly string[]): object {
  return {
    type: "category",
    data: names,
    inverse: true,
    axisTick: { show: false },
    axisLabel: { color: INK },
    axisLine: { lineStyle: { color: "#c4c9d0" } },
  };
}
