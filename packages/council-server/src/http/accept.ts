/** Whether the Accept header prefers an event stream to JSON: by quality, then by order. */
export function prefersEvents(accept = ""): boolean {
  const [first] = accept
    .toLowerCase()
    .split(",")
    .map(parseMediaRange)
    .filter(({ type, quality }) => SUPPORTED_TYPES.has(type) && quality > 0)
    .toSorted((a, b) => b.quality - a.quality);
  return first?.type === EVENT_STREAM;
}

/** Whether the Accept header names HTML: a browser that opens a page. */
export function acceptsHtml(accept = ""): boolean {
  return accept.split(",").some((range) => {
    const { type, quality } = parseMediaRange(range.toLowerCase());
    return type === "text/html" && quality > 0;
  });
}

const EVENT_STREAM = "text/event-stream";
const SUPPORTED_TYPES = new Set([EVENT_STREAM, "application/json"]);

function parseMediaRange(range: string): { type: string; quality: number } {
  const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
  const quality = parameters.find((parameter) => parameter.startsWith("q="));
  return { type, quality: quality === undefined ? 1 : Number(quality.slice(2)) };
}
