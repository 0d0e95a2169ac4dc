/** Whether a client would rather have events than JSON: by preference, and where that is equal by what it names first. */
export function prefersEvents(accept = ""): boolean {
  const [first] = accept
    .toLowerCase()
    .split(",")
    .map(readRange)
    .filter(({ type, quality }) => KINDS.has(type) && quality > 0)
    .toSorted((a, b) => b.quality - a.quality);
  return first?.type === EVENTS;
}

const EVENTS = "text/event-stream";
const KINDS = new Set([EVENTS, "application/json"]);

function readRange(range: string): { type: string; quality: number } {
  const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
  const quality = parameters.find((parameter) => parameter.startsWith("q="));
  return { type, quality: quality === undefined ? 1 : Number(quality.slice(2)) };
}
