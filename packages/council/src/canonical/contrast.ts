/** Whether two free texts differ in something no rewording changes: a number they name, or a "not". No model needs to be asked then. */
export function contrasts(a: string, b: string): boolean {
  const [x, y] = [numbers(a), numbers(b)];
  return (x !== undefined && y !== undefined && x !== y) || negations(a) % 2 !== negations(b) % 2;
}

/** Undefined where it names none: "a dozen" and "12" may still be the same. */
function numbers(text: string): string | undefined {
  return text
    .match(/\d+(?:[.,]\d+)*/g)
    ?.toSorted()
    .join(" ");
}

function negations(text: string): number {
  return (
    text.match(/\b(?:not|never|no|without|cannot|nunca|sem|sin)\b|n't\b|(?<!\p{L})não(?!\p{L})/giu)?.length ??
    0
  );
}
