/** What stands in a case for something that differs from run to run. */
export interface Places {
  /** The folder of the entry file. */
  readonly $DIR: string;
  /** The folder around it, with nothing else but what `files` puts there. */
  readonly $PARENT: string;
  /** Two origins of the echo server, without a slash at the end. */
  readonly $HTTP: string;
  readonly $HTTP2: string;
  /** An origin at which nothing listens. */
  readonly $CLOSED: string;
  /** The probe, a program. */
  readonly $PROBE: string;
}

/** Those that all cases share. */
export type SharedPlaces = Omit<Places, "$DIR" | "$PARENT">;

/** A copy in which every string, at any depth, has its placeholders filled in. Names of keys are not touched. */
export function fill<T>(value: T, places: Places): T {
  return fillIn(value, places) as T;
}

const PLACE = /\$(?:DIR|PARENT|HTTP2?|CLOSED|PROBE)\b/g;

function fillIn(value: unknown, places: Places): unknown {
  if (typeof value === "string") return value.replace(PLACE, (name) => places[name as keyof Places]);
  if (Array.isArray(value)) return value.map((item) => fillIn(item, places));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillIn(item, places)]));
}
