// biome-ignore-all lint/suspicious/noTemplateCurlyInString: env files refer to variables like this
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findConfiguration } from "../../src/clients/find-configuration.ts";
import { parseDotenv } from "../../src/project/dotenv.ts";
import { mciHere as mci } from "../in-process.ts";
import { folder } from "../mci.ts";

test("[C-import-secrets] --write-env saves the values that were taken out, and nothing prints them", async () => {
  const cwd = folder({ ".env": "A_TOKEN=old\nOTHER=1" });
  const values = { token: 'it\'s "a" # secret\\n', password: "two\nlines", api_key: "k$1${x}" };
  const command = `curl https://a.example/x --json '${JSON.stringify(values).replaceAll("'", "'\\''")}'`;
  const again = () => mci(["import", "curl", command, "-o", "mci.json", "--write-env", "new.env"], { cwd });
  const { code, stdout, stderr } = await again();
  expect(code).toBe(0);
  const text = readFileSync(join(cwd, "new.env"), "utf8");
  expect(parseDotenv(text)).toEqual({ A_TOKEN: values.token, A_PASSWORD: values.password });
  expect(text).toContain("# A_API_KEY=");
  expect(statSync(join(cwd, "new.env")).mode & 0o777).toBe(0o600);
  expect(stderr).toContain("Wrote 2 values to new.env: A_TOKEN, A_PASSWORD");
  expect(stderr).toContain("To be filled in: A_API_KEY");
  for (const value of Object.values(values))
    expect(stdout + stderr + readFileSync(join(cwd, "mci.json"), "utf8")).not.toContain(value);
  const merged = await mci(["import", "curl", command, "--write-env", ".env"], { cwd });
  expect(merged.stderr).toContain("Already there, and left as they are: A_TOKEN");
  expect(parseDotenv(readFileSync(join(cwd, ".env"), "utf8"))).toMatchObject({ A_TOKEN: "old", OTHER: "1" });
});

/** Values of a stranger's document that a shell would execute, or take for several words. */
const SHELL_VALUES = {
  token: "$(touch pwned)",
  password: "`touch pwned`; touch pwned",
  api_key: "x & touch pwned",
  secret: "~/a*b!c",
  client_secret: 'it\'s "so"',
  access_token: "it's $(touch pwned)",
};

test("[C-import-env] what --write-env writes is text for a shell, too; what cannot be is left to be filled in", async () => {
  const cwd = folder({});
  const json = JSON.stringify(SHELL_VALUES).replaceAll("'", "'\\''");
  const { code, stderr } = await mci(
    ["import", "curl", `curl https://a.example/x --json '${json}'`, "-o", "mci.json", "--write-env", ".env"],
    { cwd },
  );
  expect(code).toBe(0);
  const { access_token: _, ...writable } = SHELL_VALUES;
  const values = Object.fromEntries(
    Object.entries(writable).map(([name, value]) => [`A_${name.toUpperCase()}`, value]),
  );
  expect(parseDotenv(readFileSync(join(cwd, ".env"), "utf8"))).toEqual(values);
  expect(stderr).toContain("To be filled in: A_ACCESS_TOKEN");
  if (process.platform === "win32") return;
  const script = `set -a; . ./.env; exec "${process.execPath}" -p 'JSON.stringify(process.env)'`;
  expect(JSON.parse(execFileSync("/bin/sh", ["-c", script], { cwd, encoding: "utf8" }))).toMatchObject(
    values,
  );
  expect(existsSync(join(cwd, "pwned"))).toBe(false);
});

test.skipIf(process.platform === "win32")(
  "[C-import-env] --write-env does not write through a link, and says that others may read the file",
  async () => {
    const cwd = folder({ ".env": "OTHER=1\n", profile: "PATH=/bin\n" });
    chmodSync(join(cwd, ".env"), 0o644);
    symlinkSync("profile", join(cwd, "link.env"));
    symlinkSync("nothing", join(cwd, "dangling.env"));
    const write = (file: string) =>
      mci(["import", "curl", "curl https://a.example/x -u me:secret-1", "--write-env", file], { cwd });
    for (const file of ["link.env", "dangling.env"]) {
      const { code, stderr } = await write(file);
      expect([code, stderr]).toEqual([1, expect.stringContaining(`${file} is a symbolic link`)]);
    }
    expect(readFileSync(join(cwd, "profile"), "utf8")).toBe("PATH=/bin\n");
    expect(existsSync(join(cwd, "nothing"))).toBe(false);
    expect((await write(".env")).stderr).toContain("chmod 600 .env");
    expect((await write("new.env")).stderr).not.toContain("chmod");
  },
);

test("[C-import-mcp] a client's configuration is found by the client's name", async () => {
  const config = JSON.stringify({ mcpServers: { files: { command: "npx", args: ["-y", "files"] } } });
  const cwd = folder({ "home/.config/Claude/claude_desktop_config.json": config });
  const env = { HOME: join(cwd, "home"), XDG_CONFIG_HOME: join(cwd, "home/.config") };
  const places = findConfiguration("claude", { cwd, env })!.places;
  expect(places.at(-1)).toBe(join(cwd, "home", ".claude.json"));
  expect(findConfiguration("claude", { cwd, env }, "darwin")!.places[0]).toContain("Application Support");
  expect(findConfiguration("vscode", { cwd, env }, "win32")!.places[1]).toContain("Roaming");
  const none = await mci(["import", "mcp-config", "cursor"], { cwd, env });
  expect(none.code).toBe(1);
  expect(none.stderr).toContain(join(cwd, "home", ".cursor", "mcp.json"));
  const unknown = await mci(["import", "mcp-config", "cluade"], { cwd, env });
  expect(unknown.stderr).toContain("Did you mean 'claude'?");
  if (process.platform !== "linux") return;
  const { stdout, stderr } = await mci(["import", "mcp-config", "claude"], { cwd, env });
  expect(JSON.parse(stdout).mcp_servers.files.command).toBe("npx");
  expect(stderr).toContain("Read ");
});
