/** Numbers, money, times and dates by the reader's locale. */

const number = new Intl.NumberFormat();
const date = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const time = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const minute = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });
const percent = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 1 });
const percentColumn = new Intl.NumberFormat(undefined, { style: "percent", minimumFractionDigits: 1 });

export const formatNumber = (value: number) => number.format(value);
export const formatDate = (iso: string) => date.format(new Date(iso));
export const formatTime = (iso: string) => time.format(new Date(iso));
/** The time of a moment of today, the date of any other. */
export const formatWhen = (iso: string, now = new Date()) =>
  new Date(iso).toDateString() === now.toDateString() ? formatTime(iso) : formatDate(iso);
/** The same, without seconds. */
export const formatWhenShort = (iso: string, now = new Date()) =>
  new Date(iso).toDateString() === now.toDateString() ? minute.format(new Date(iso)) : formatDate(iso);
export const formatPercent = (value: number) => percent.format(value);
/** One below the other, where each has as many digits as the next. */
export const formatPercentColumn = (value: number) => percentColumn.format(value);

/** `isColumn`: one below the other, where each has as many digits as the next. */
export function formatMoney(usd: number | null, source: string | null, isColumn = false): string {
  if (source === "simulated") return "simulated, no cost";
  if (usd === null) return "cost unknown";
  const isSmall = usd !== 0 && usd < 0.01;
  return new Intl.NumberFormat(undefined, {
    style: "currency",
    currency: "USD",
    minimumFractionDigits: isSmall && isColumn ? 6 : 2,
    maximumFractionDigits: isSmall ? 6 : 4,
  }).format(usd);
}

export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
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
