/** Stands for the Markdown of the page, whose parser runs in a worker: a file has none, so texts are shown as they are. */
export function Markdown({ text }: { text: string }) {
  return <pre className="plain">{text}</pre>;
}
