/** Dates and times of day in one form; undefined where more than one reading is possible, such as 05/04/2025. */
export function canonicalDate(plain: string): string | undefined {
  if (plain.length > 60) return undefined;
  const { text, weekday } = withoutWeekday(plain.toLowerCase());
  return timeOfDay(text) ?? instant(plain) ?? calendar(text, weekday);
}

const MONTHS: ReadonlyMap<string, number> = new Map(
  [
    "january jan janeiro enero januar jänner janvier gennaio",
    "february feb fevereiro febrero februar février febbraio",
    "march mar março marzo märz mars",
    "april apr abril avril aprile",
    "may maio mayo mai maggio",
    "june jun junho junio juni juin giugno",
    "july jul julho julio juli juillet luglio",
    "august aug agosto août",
    "september sep sept setembro septiembre septembre settembre",
    "october oct outubro octubre oktober octobre ottobre",
    "november nov novembro noviembre novembre",
    "december dec dezembro diciembre dezember décembre dicembre",
  ].flatMap((names, i) => names.split(" ").map((name) => [name, i + 1] as const)),
);
const WEEKDAYS = "sunday monday tuesday wednesday thursday friday saturday".split(" ");

function withoutWeekday(text: string): { text: string; weekday: number } {
  const weekday = WEEKDAYS.findIndex((day) => text.startsWith(`${day}, `));
  return { text: weekday < 0 ? text : text.slice(WEEKDAYS[weekday]!.length + 2), weekday };
}

function timeOfDay(text: string): string | undefined {
  if (text === "noon") return "12:00";
  if (text === "midnight") return "00:00";
  const match = /^(\d{1,2})(?::(\d{2}))? ?(am|pm|a\.m\.?|p\.m\.?)?$/.exec(text);
  if (match === null || (match[2] === undefined && match[3] === undefined)) return undefined;
  const [, hours, minutes = "00", half] = match;
  let hour = Number(hours);
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return undefined;
    hour = (hour % 12) + (half.startsWith("p") ? 12 : 0);
  }
  return hour < 24 && Number(minutes) < 60 ? `${pad(hour)}:${minutes}` : undefined;
}

/** A full timestamp with an offset, in UTC. */
function instant(text: string): string | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/.test(text)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

function calendar(text: string, weekday: number): string | undefined {
  const words = text
    .replace(/^(?:the|le|el|den|am|em|il) /, "")
    .replace(/\b(?:of|de|do|del)\b/g, " ")
    .replace(/(\d)(?:st|nd|rd|th|er|º)(?![\p{L}\p{N}])/gu, "$1")
    .replace(/[,.](?= |$)/g, " ")
    .trim()
    .split(/ +/)
    .join(" ");
  const signs = /^(\d{4})年\s?(\d{1,2})月\s?(\d{1,2})[日号]$/.exec(text);
  if (signs) return day(signs[1], Number(signs[2]), signs[3], weekday);
  const figures = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})$/.exec(words);
  if (figures) return day(figures[1], Number(figures[2]), figures[3], weekday);
  const slashed = /^(\d{1,2})([./])(\d{1,2})\2(\d{4})$/.exec(words);
  if (slashed) return unambiguous(Number(slashed[1]), Number(slashed[3]), slashed[4]!, weekday);
  const dayFirst = /^(\d{1,2}) (\p{L}+)(?: (\d{4}))?$/u.exec(words);
  if (dayFirst) return day(dayFirst[3], MONTHS.get(dayFirst[2]!), dayFirst[1], weekday);
  const monthFirst = /^(\p{L}+) (\d{1,2})(?: (\d{4}))?$/u.exec(words);
  if (monthFirst) return day(monthFirst[3], MONTHS.get(monthFirst[1]!), monthFirst[2], weekday);
  const monthAndYear = /^(\p{L}+) (\d{4})$/u.exec(words);
  // "Mars 2020" is a rover.
  const month = monthAndYear && monthAndYear[1] !== "mars" ? MONTHS.get(monthAndYear[1]!) : undefined;
  return month && monthAndYear ? `${monthAndYear[2]}-${pad(month)}` : undefined;
}

/** 13/12/2025 can only be December; 05/04/2025 depends on who wrote it. */
function unambiguous(a: number, b: number, year: string, weekday: number): string | undefined {
  if (a > 12) return day(year, b, String(a), weekday);
  return b > 12 || a === b ? day(year, a, String(b), weekday) : undefined;
}

function day(
  year: string | undefined,
  month: number | undefined,
  date: string | undefined,
  weekday: number,
): string | undefined {
  if (month === undefined || date === undefined) return undefined;
  const exact = new Date(Date.UTC(Number(year ?? 2000), month - 1, Number(date)));
  exact.setUTCFullYear(Number(year ?? 2000));
  // A day that does not exist, or a weekday that does not fit, is left as it was written.
  if (exact.getUTCMonth() !== month - 1 || exact.getUTCDate() !== Number(date)) return undefined;
  if (weekday >= 0 && (year === undefined || exact.getUTCDay() !== weekday)) return undefined;
  return `${year ?? "any"}-${pad(month)}-${pad(Number(date))}`;
}

const pad = (n: number) => String(n).padStart(2, "0");
