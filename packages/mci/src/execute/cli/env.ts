/** Variables of a process environment or a client's env. */
export type Variables = Readonly<Record<string, unknown>>;

/** What programs need to run at all: where programs, the home and temporary files are, and which language to speak. */
const BASE_VARIABLES = [
  "PATH HOME TMPDIR TMP TEMP LANG LANGUAGE LC_ALL LC_ADDRESS LC_COLLATE LC_CTYPE LC_IDENTIFICATION LC_MEASUREMENT",
  "LC_MESSAGES LC_MONETARY LC_NAME LC_NUMERIC LC_PAPER LC_TELEPHONE LC_TIME",
].flatMap((line) => line.split(" "));

const WINDOWS_VARIABLES = [
  "SystemRoot SystemDrive windir ComSpec PATHEXT USERPROFILE HOMEDRIVE HOMEPATH USERNAME APPDATA LOCALAPPDATA",
  "ProgramData ProgramFiles ProgramFiles(x86) PROCESSOR_ARCHITECTURE",
].flatMap((line) => line.split(" "));

/** A child's environment: the short list above, then the inherited names, then its own variables. */
export function childEnvironment(
  processEnv: Variables,
  inherited: Iterable<readonly [string, string]>,
  own: Iterable<readonly [string, string]>,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const names = platform === "win32" ? [...BASE_VARIABLES, ...WINDOWS_VARIABLES] : BASE_VARIABLES;
  const environment: Record<string, string> = {};
  for (const name of names) {
    const value = processEnv[name];
    if (typeof value === "string") set(environment, name, value, platform);
  }
  for (const [name, value] of inherited) set(environment, name, value, platform);
  for (const [name, value] of own) set(environment, name, value, platform);
  return environment;
}

/** On Windows `Path` and `PATH` are one variable. */
function set(
  environment: Record<string, string>,
  name: string,
  value: string,
  platform: NodeJS.Platform,
): void {
  if (platform === "win32") {
    const same = Object.keys(environment).find((key) => key.toUpperCase() === name.toUpperCase());
    if (same !== undefined) delete environment[same];
  }
  environment[name] = value;
}
