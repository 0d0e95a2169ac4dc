import type { LoginStore } from "mci-ts/login";
import type { Context } from "../command.ts";

/** The logins of this user. What it takes is loaded when a server asks for one. */
export function loginStore(env: Context["env"]): LoginStore {
  let opened: Promise<LoginStore> | undefined;
  const open = () => {
    opened ??= import("mci-ts/login").then(({ fileLoginStore, loginFile }) => fileLoginStore(loginFile(env)));
    return opened;
  };
  return {
    list: async () => (await open()).list(),
    save: async (login) => (await open()).save(login),
    remove: async (key) => (await open()).remove(key),
    exclusively: async (resource, work) => (await open()).exclusively(resource, work),
  };
}
