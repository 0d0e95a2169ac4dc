import type { LoginState, ToolsLogins } from "@mci-ts/console/tools";
import type { Context } from "../command.ts";
import { loginDeadline } from "../login/deadline.ts";
import { registeredPort } from "../login/log-in.ts";
import type { Environment } from "../project/env.ts";
import { loadWithProgress, loginCommand } from "../project/load.ts";
import { loginStore } from "../project/login-store.ts";
import type { ReloadableClient } from "../serve/reloadable-client.ts";

export interface ConsoleLoginsOptions {
  /** Absolute. */
  readonly file: string;
  readonly client: ReloadableClient;
  readonly env: () => Promise<Environment>;
  readonly context: Context;
}

interface Attempt {
  readonly state: LoginState;
  cancel?(): void;
}

/** Logins that the page of `mci ui` begins: it shows the address, and the browser comes back to this command. */
export function createConsoleLogins({ file, client, env, context }: ConsoleLoginsOptions): ToolsLogins {
  const attempts = new Map<string, Attempt>();
  const command = loginCommand(file, context.cwd);
  return {
    list() {
      const { warnings } = client.current;
      const isNeeded = (name: string) =>
        warnings.some(({ message }) => message.endsWith(`: ${command(name)}`));
      return client.current.loginNames().flatMap((name): LoginState[] => {
        const attempt = attempts.get(name);
        if (attempt !== undefined) return [attempt.state];
        return isNeeded(name) ? [{ name, state: "needed" }] : [];
      });
    },
    async begin(name, reload) {
      attempts.get(name)?.cancel?.();
      const controller = new AbortController();
      const deadline = loginDeadline(name);
      const signal = AbortSignal.any([context.signal, controller.signal, deadline.signal]);
      const attempt: Attempt = { state: { name, state: "pending" }, cancel: () => controller.abort() };
      attempts.set(name, attempt);
      const loginPage = Promise.withResolvers<{ url: string; code?: string }>();
      deadline.end(logIn(name, signal, loginPage.resolve)).then(
        async () => {
          if (attempts.get(name) === attempt) attempts.delete(name);
          await reload();
        },
        (error: Error) => {
          const state: LoginState = { name, state: "failed", message: error.message };
          if (attempts.get(name) === attempt) attempts.set(name, { state });
          loginPage.reject(error);
        },
      );
      return loginPage.promise;
    },
  };

  async function logIn(
    name: string,
    signal: AbortSignal,
    onAddress: (address: { url: string; code?: string }) => void,
  ): Promise<void> {
    const { openLoopback } = await import("mci-ts/login");
    const store = loginStore(context.env);
    const loopback = await openLoopback(await registeredPort(store));
    try {
      const auth = { store, redirectUrl: loopback.redirectUrl };
      const options = { env: (await env()).values, fetchMcpTools: false, signal, auth };
      await using own = await loadWithProgress(file, options, silent(context));
      await own.login(name, {
        signal,
        onAuthorize: (url) => {
          onAddress({ url: url.href });
          return loopback.wait(url, signal);
        },
        onDeviceCode: ({ userCode, completeUrl, verificationUrl }) =>
          onAddress({ url: (completeUrl ?? verificationUrl).href, code: userCode }),
      });
    } finally {
      loopback.close();
    }
  }
}

/** What loading says was said when the console was opened. */
function silent(context: Context): Context {
  const stderr = Object.assign(Object.create(context.stderr), { write: () => {} });
  return Object.create(context, { stderr: { value: stderr } });
}
