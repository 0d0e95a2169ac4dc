import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { ListenError, listen } from "./listen.ts";

test("[G-listen] an error says why the server cannot listen there", async () => {
  const first = createServer();
  await listen(first, { host: "127.0.0.1", port: 0 });
  onTestFinished(() => void first.close());
  const { port } = first.address() as AddressInfo;
  const taken = await listen(createServer(), { host: "127.0.0.1", port }).catch((error: unknown) => error);
  expect(taken).toBeInstanceOf(ListenError);
  expect(taken).toMatchObject({
    message: `Cannot listen on 127.0.0.1:${port}: the port is in use by another program`,
    code: "EADDRINUSE",
    isAboutPort: true,
  });
  const foreign = listen(createServer(), { host: "192.0.2.1", port: 0 });
  await expect(foreign).rejects.toMatchObject({
    message: "Cannot listen on 192.0.2.1:0: this machine does not have that address",
    isAboutPort: false,
  });
});
