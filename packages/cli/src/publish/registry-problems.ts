import { isObject, objectsIn } from "@mci-ts/primitives/is-object";

type Json = Readonly<Record<string, unknown>>;

/** The key of `_meta` that the official registry keeps, and its limit. */
const PUBLISHER = "io.modelcontextprotocol.registry/publisher-provided";
const MAX_PUBLISHER_BYTES = 4096;

/** What the official registry asks for beyond the schema. */
export function registryProblems(entry: Json): string[] {
  const packages = objectsIn(entry.packages);
  const remotes = objectsIn(entry.remotes);
  return [
    ...entryProblems(entry),
    ...(packages.length === 0 && remotes.length === 0
      ? [
          "it has neither packages nor remotes, so nothing can be installed or connected to: pass --package or --url",
        ]
      : []),
    ...packages.flatMap(packageProblems),
    ...remotes
      .filter(({ url }) => !isPublicAddress(String(url)))
      .map(({ url }) => `remote '${url}' must be a public https:// address`),
  ];
}

function entryProblems({ name, version, websiteUrl, icons, _meta }: Json): string[] {
  const problems: string[] = [];
  if (isRange(version)) problems.push("'version' is a range, and must be one version");
  if (
    typeof name === "string" &&
    !/^[a-zA-Z0-9][\w.-]*[a-zA-Z0-9]\/[a-zA-Z0-9][\w.-]*[a-zA-Z0-9]$/.test(name)
  )
    problems.push(
      "both parts of 'name' must begin and end with a letter or digit, and have two at least, as in io.github.me/weather: set it with --name, or as metadata.name",
    );
  if (typeof websiteUrl === "string" && !/^https:/i.test(websiteUrl))
    problems.push("'websiteUrl' must be an https:// address");
  for (const { src } of objectsIn(icons))
    if (!/^https:/i.test(String(src)))
      problems.push(`icon '${String(src).slice(0, 100)}' must be an https:// address`);
  const provided = isObject(_meta) ? _meta[PUBLISHER] : undefined;
  if (provided !== undefined && Buffer.byteLength(JSON.stringify(provided)) > MAX_PUBLISHER_BYTES)
    problems.push(`'_meta' has more than ${MAX_PUBLISHER_BYTES} bytes under '${PUBLISHER}'`);
  return problems;
}

function packageProblems(entry: Json): string[] {
  const { registryType, identifier, version, registryBaseUrl, fileSha256 } = entry;
  const type = String(registryType);
  const problem = (text: string) => `package '${identifier}'${text}`;
  const problems: string[] = [];
  if (PUBLIC_REGISTRIES[type] === undefined)
    problems.push(problem(`: the registry type '${registryType}' is not known`));
  else if (registryBaseUrl !== undefined && !isPublicRegistry(type, registryBaseUrl))
    problems.push(problem(`: only ${PUBLIC_REGISTRIES[type] || "no registryBaseUrl"} is accepted`));
  if (["npm", "pypi", "nuget"].includes(type) && (version === undefined || isRange(version)))
    problems.push(problem(" needs one exact version"));
  if (type === "oci" && !IMAGE.test(String(identifier)))
    problems.push(
      problem(
        " must be an image with its tag at docker.io, ghcr.io, mcr.microsoft.com, *.pkg.dev or *.azurecr.io",
      ),
    );
  if (type === "oci" && version !== undefined)
    problems.push(problem(" has its version in the identifier, and no 'version'"));
  if (type === "mcpb" && !/^https:\/\/(?:github|gitlab)\.com\/.+\/releases\//.test(String(identifier)))
    problems.push(problem(" must be a release at github.com or gitlab.com"));
  if (type === "mcpb" && fileSha256 === undefined) problems.push(problem(" needs its 'fileSha256'"));
  for (const list of [entry.runtimeArguments, entry.packageArguments])
    for (const { type: kind, name, value, default: fallback } of objectsIn(list)) {
      if (kind !== "named" || typeof name !== "string") continue;
      if (name === "" || /[<> $]/.test(name))
        problems.push(problem(`: '${name}' is not the name of an option`));
      else if ([value, fallback].some((text) => typeof text === "string" && text.startsWith(name)))
        problems.push(problem(`: the value of '${name}' repeats its name`));
    }
  return problems;
}

const IMAGE =
  /^(?:docker\.io|ghcr\.io|mcr\.microsoft\.com|[a-z0-9-]+\.pkg\.dev|[a-z0-9-]+\.azurecr\.io)\/[^:@\s]+(?::[\w.-]+|@sha256:[a-f0-9]{64})$/;

function isRange(version: unknown): boolean {
  return typeof version === "string" && /^[\^~<>=]|^latest$|[xX*]$|\s\|\|\s|\s-\s/.test(version);
}

function isPublicAddress(url: string): boolean {
  return /^https:\/\//.test(url) && !/^https:\/\/(?:localhost|127\.|10\.|192\.168\.|\[)/.test(url);
}

/** Where packages of a type come from; empty: the identifier says it. */
const PUBLIC_REGISTRIES: Readonly<Record<string, string>> = {
  npm: "https://registry.npmjs.org",
  pypi: "https://pypi.org",
  nuget: "https://api.nuget.org/v3/index.json",
  oci: "",
  mcpb: "",
};

/** Whether packages of this type are taken from there in any case. Older entries name only the host of NuGet. */
export function isPublicRegistry(type: string, base: unknown): boolean {
  const known = PUBLIC_REGISTRIES[type];
  const address = String(base).replace(/(?<!\/)\/+$/, "");
  return (
    known !== undefined &&
    known !== "" &&
    (address === known || (type === "nuget" && address === new URL(known).origin))
  );
}
