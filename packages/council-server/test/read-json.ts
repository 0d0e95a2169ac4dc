/** A response's JSON, unchecked: tests state what they expect of it right away. */
// biome-ignore lint/suspicious/noExplicitAny: the assertions that follow are the check
export async function readJson(response: Response | Promise<Response>): Promise<any> {
  return (await response).json();
}
