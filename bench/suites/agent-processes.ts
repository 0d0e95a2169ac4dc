import { type Started, startProgram } from "./council-processes.ts";

/** A provider whose every reply calls the same tool, after a fixed time. The URL ends in `/v1`. */
export async function startAgentProvider(dialect: string, latencyMs: number): Promise<Started> {
  const provider = await startProgram("packages/fake-provider/src/main.ts", [
    ...["--port", "0", "--dialect", dialect, "--latency", String(latencyMs)],
  ]);
  const script = {
    rules: [{ reply: { kind: "tool_call", tool: "delete_file", input: { path: "a.txt" } } }],
    behaviour: { latency: { median_ms: latencyMs, sigma: 0 } },
  };
  const response = await fetch(new URL("/sim/script", provider.url), {
    method: "PUT",
    body: JSON.stringify(script),
  });
  if (!response.ok) throw new Error(`the provider's script was refused: ${await response.text()}`);
  return provider;
}

export function startAgentService(
  dialect: string,
  provider: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Started> {
  return startProgram("bench/servers/agent-service.ts", [dialect, provider], env);
}
