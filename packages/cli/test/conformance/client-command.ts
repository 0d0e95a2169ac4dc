import { createServer, type Server } from "node:net";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { fixtureProgram } from "../../../../test/programs/programs.ts";
import { callTools, type ScenarioContext } from "./client.ts";

/** A command for the suite to start as its client. The client itself runs in this process: it loads faster than a new one. */
export async function clientCommand(): Promise<string> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on("error", () => {});
    createInterface({ input: socket }).once("line", async (line) => {
      const { url, context }: { url: string; context: ScenarioContext } = JSON.parse(line);
      const failure = await callTools(url, context).then(
        () => "",
        (error: Error) => String(error.stack),
      );
      socket.end(failure);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const relay = fixtureProgram("packages/cli/test/conformance/fixtures/relay.ts");
  return `${process.execPath} ${relay} ${portOf(server)}`;
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}
