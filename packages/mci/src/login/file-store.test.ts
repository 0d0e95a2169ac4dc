import { homedir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loginFile } from "./file-store.ts";

test.each([
  ["linux", { HOME: "/home/ann" }, "/home/ann/.config"],
  ["linux", { HOME: "/home/ann", XDG_CONFIG_HOME: "/settings" }, "/settings"],
  ["linux", {}, join(homedir(), ".config")],
  ["darwin", { HOME: "/Users/ann" }, "/Users/ann/Library/Application Support"],
  ["win32", { USERPROFILE: "/Users/ann" }, "/Users/ann/AppData/Roaming"],
  ["win32", { USERPROFILE: "/Users/ann", APPDATA: "/roaming" }, "/roaming"],
] as const)(
  "logins are in the folder for settings of the environment that is passed: %s %o",
  (platform, env, base) => {
    expect(loginFile(env, platform)).toBe(join(base, "mci", "logins.json"));
  },
);
