/** Whose resources and prompts a screen shows: those of an MCP server, or of the file itself. */
export interface Place {
  /** As the API names it: `main`, or `mcp:` and the name of a server. */
  readonly source: string;
  /** The address of the screen, without the part of it that is shown. */
  readonly href: string;
  /** Whether it says that it has resources, and prompts. */
  readonly offers: { readonly resources: boolean; readonly prompts: boolean };
  /** Whether there may be proposals for arguments. */
  readonly completes: boolean;
  /** Whether a server tells of changes of a resource. */
  readonly watches: boolean;
}

export const FILE: Place = {
  source: "main",
  href: "#/content",
  offers: { resources: true, prompts: true },
  completes: false,
  watches: false,
};

/** A part of an address, whatever a server calls its things: half a character cannot be encoded. */
export const segment = (text: string) => encodeURIComponent(text.toWellFormed());

export const serverHref = (name: string) => `#/servers/${segment(name)}`;
/** Where the file has its settings. */
export const definitionHref = (name: string) => `#/file?${new URLSearchParams({ server: name })}`;
export const resourceHrefOf = (href: string) => (uri: string) => `${href}/resources/${segment(uri)}`;
export const sourcePath = (source: string, action: string) => `api/sources/${segment(source)}/${action}`;
export const serverPath = (name: string, action = "") =>
  `api/servers/${segment(name)}${action === "" ? "" : `/${action}`}`;
