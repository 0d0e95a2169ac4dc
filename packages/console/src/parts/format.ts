/** Numbers, money, times and dates by the reader's locale. */

const number = new Intl.NumberFormat();
const date = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const time = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const percent = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 1 });

export const formatNumber = (value: number) => number.format(value);
export const formatDate = (iso: string) => date.format(new Date(iso));
export const formatTime = (iso: string) => time.format(new Date(iso));
/** The time of a moment of today, the date of any other. */
export const formatWhen = (iso: string, now = new Date()) =>
  new Date(iso).toDateString() === now.toDateString() ? formatTime(iso) : formatDate(iso);
export const formatPercent = (value: number) => percent.format(value);

export function formatMoney(usd: number | null, source: string | null): string {
  if (source === "simulated") return "simulated, no cost";
  if (usd === null) return "cost unknown";
  const digits = usd !== 0 && usd < 0.01 ? 6 : 4;
  return new Intl.NumberFormat(undefined, {
    style: "currency",
    currency: "USD",
    maximumFractionDigits: digits,
  }).format(usd);
}

export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes >= 90) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${minutes} min ${Math.round((ms % 60_000) / 1000)} s`;
}

/** `length_stop` -> `length stop`. */
export const words = (code: string) => code.replaceAll("_", " ");

export const plural = (count: number, one: string, many = `${one}s`) =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return plural(bytes, "byte");
  const [unit, size] = bytes < 1024 ** 2 ? ["kB", bytes / 1024] : ["MB", bytes / 1024 ** 2];
  return `${formatNumber(Math.round(size * 10) / 10)} ${unit}`;
}
