import { createServer } from "node:net";
import { onTestFinished } from "vitest";

let port = randomPort();
let isClaimed = false;

/**
 * The same port for the server of each test, so the same origin: a page that the browser knows is neither fetched nor compiled
 * again. 0, so any, for further servers of a test.
 */
export async function claimPort(): Promise<number> {
  if (isClaimed) return 0;
  isClaimed = true;
  onTestFinished(() => {
    isClaimed = false;
  });
  while (!(await isFree(port))) port = randomPort();
  return port;
}

/** Below those that the operating system gives away by itself. */
function randomPort(): number {
  return 20_000 + Math.floor(Math.random() * 10_000);
}

function isFree(candidate: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(candidate, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
