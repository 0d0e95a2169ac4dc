import { expect, test } from "vitest";
import { openLoopback } from "./loopback.ts";

test("only the browser that comes back from this login ends it [LOGIN-mixup]", async () => {
  const loopback = await openLoopback();
  try {
    const came = loopback.wait(
      new URL("https://auth.example.com/authorize?state=secret"),
      AbortSignal.timeout(20_000),
    );
    const visit = async (query: string) => (await fetch(loopback.redirectUrl + query)).status;
    expect(await visit("?code=forged")).toBe(404);
    expect(await visit("?code=forged&state=other")).toBe(404);
    expect(await visit("?error=access_denied&state=")).toBe(404);
    expect(await visit("?state=secret")).toBe(404);
    expect(await visit("?code=right&state=secret")).toBe(200);
    expect(new URL(await came).searchParams.get("code")).toBe("right");
  } finally {
    loopback.close();
  }
});

test("an address without a state is answered by nothing [LOGIN-mixup]", async () => {
  const loopback = await openLoopback();
  const signal = AbortSignal.abort(new Error("given up"));
  await expect(loopback.wait(new URL("https://auth.example.com/authorize"), signal)).rejects.toThrow(
    "given up",
  );
  expect((await fetch(`${loopback.redirectUrl}?code=1`)).status).toBe(404);
  loopback.close();
});
