/** Where an unknown path probably should have gone: most often a base URL without its `/v1`, or with it twice. */
export function notFoundMessage(path: string): string {
  const [, name] = /^(?:\/v1)*\/(chat\/completions|models)(?:\/|$)/.exec(path) ?? [];
  if (name !== undefined)
    return `No endpoint at ${path}; it is /v1/${name}: set the client's base URL to end in /v1`;
  const [, other] = /^(?:\/v1)?\/(completions|responses|embeddings)(?:\/|$)/.exec(path) ?? [];
  if (other !== undefined)
    return `No endpoint at ${path}; of the OpenAI API there are /v1/chat/completions and /v1/models`;
  return `No endpoint at ${path}; /openapi.json lists them`;
}
