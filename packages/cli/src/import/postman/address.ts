import { isObject, objectsIn } from "@mci-ts/primitives/is-object";
import { Setting } from "mci-ts/authoring";
import { basicAuth } from "../headers.ts";
import { pathSetting } from "../path.ts";
import type { Json, RequestTool } from "../request.ts";
import { textOf } from "./description.ts";
import { askAll, exampleOf } from "./fields.ts";
import type { PostmanText } from "./text.ts";

export interface Address {
  readonly url: Setting;
  readonly params: Json;
  /** A user and password that stood in the address. */
  readonly auth: Json | undefined;
}

/** The address of a request. `:id`, `{id}` and `<id>` in its path are properties. */
export function addressOf(
  url: unknown,
  tool: RequestTool,
  text: PostmanText,
  warn: (message: string) => void,
): Address {
  const raw = typeof url === "string" ? url : isObject(url) ? String(url.raw ?? joined(url)) : "";
  if (raw === "") throw new Error("it has no address");
  const [address = "", search = ""] = raw.replace(/#[^{}]*$/, "").split(/\?(.*)/s, 2);
  const withScheme = /^[a-z]+:\/\/|^\{\{/i.test(address) ? address : `https://${address}`;
  const [, scheme = "", user, host = "", path = ""] =
    /^([a-z]+:\/\/)?(?:([^/@]*)@)?([^/]*)([\s\S]*)$/i.exec(withScheme) ?? [];
  const declared = isObject(url) ? objectsIn(url.variable) : [];
  const ask = (name: string) => {
    const variable = declared.find(({ key, id }) => (key ?? id) === name);
    const description = textOf(variable?.description) ?? exampleOf(name, variable?.value);
    return tool.askText(name, "", { required: true, description });
  };
  const { setting } = pathSetting(path, tool, (segment) => segmentSetting(segment, ask, tool, text));
  const query =
    isObject(url) && Array.isArray(url.query)
      ? url.query.filter(isObject)
      : [...new URLSearchParams(search)].map(([key, value]): Json => ({ key, value }));
  /** `{{user}}:{{password}}`. */
  const variableAuth = (written: string): Json => {
    const [name = "", password = ""] = written.split(/:(?![^{}]*\}\})(.*)/s, 2);
    return {
      type: "basic",
      username: text.credential(name, "username", tool),
      password: text.credential(password, "password", tool),
    };
  };
  return {
    url: Setting.join(scheme, text.render(host, "host", tool), setting),
    params: askAll(query, tool, text, warn),
    auth: user === undefined ? undefined : user.includes("{{") ? variableAuth(user) : basicAuth(user, tool),
  };
}

/** undefined: an ordinary segment. */
function segmentSetting(
  segment: string,
  ask: (name: string) => Setting,
  tool: RequestTool,
  text: PostmanText,
): Setting | undefined {
  const [, colon] = /^:([A-Za-z_][\w-]*)$/.exec(segment) ?? [];
  if (colon !== undefined) return ask(colon);
  const pieces = segment.split(/(\{\{[^{}]*\}\})|(?:\{|<|%7B|%3C)([A-Za-z_][\w .-]*)(?:\}|>|%7D|%3E)/i);
  if (pieces.length === 1) return undefined;
  return Setting.join(
    ...pieces.flatMap((piece, index): (string | Setting)[] => {
      if (piece === undefined || piece === "") return [];
      return [index % 3 === 2 ? ask(piece) : text.render(piece, "path", tool)];
    }),
  );
}

/** Some exports have the parts of an address only. */
function joined({ protocol = "https", host, port, path }: Json): string {
  const list = (value: unknown, separator: string) =>
    Array.isArray(value)
      ? value.map((part) => (isObject(part) ? String(part.value ?? "") : String(part))).join(separator)
      : String(value ?? "");
  const name = list(host, ".");
  if (name === "") return "";
  const origin = name.includes("{{") ? name : `${protocol}://${name}`;
  return `${origin}${port ? `:${port}` : ""}/${list(path, "/").replace(/^\//, "")}`;
}
