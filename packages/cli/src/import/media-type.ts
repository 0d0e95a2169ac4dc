import { Setting } from "mci-ts/authoring";
import { isCredentialName, isCredentialValue, isHarmless, isJoinedKey } from "./credentials.ts";
import type { RequestTool } from "./request.ts";

/** Parameters that say how something is written; a boundary is random, and no secret. */
const PARAMETERS =
  /^(?:q|charset|version|v|profile|format|level|type|action|start|start-info|ext|indent|delsp|method|streaming|ieee754compatible|exponentialdecimals|odata[\w.-]*)$/i;
const MEDIA_TYPE =
  /^(?:application|text|image|audio|video|multipart|message|font|model|chemical|\*)\/([\w.+*!#$&^-]{1,100})$/i;

/**
 * What is sent or wanted: `text/html;charset=utf-8`. It stands in the file as far as it consists of media types and their usual
 * parameters; anything else in it is a variable.
 */
export function mediaTypeSetting(label: string, value: string, tool: RequestTool): string | Setting {
  const pieces = value.split(/([;,]\s*)/).map((text, index) => {
    if (index % 2 === 1 || text.trim() === "" || isKnown(text.trim())) return text;
    const [, name, content = text] = /^([\w.-]{1,40})=([\s\S]*)$/.exec(text) ?? [];
    const isNamed = name !== undefined && isHarmless("", name);
    const secret = tool.secret(
      isNamed ? `${label}_${name}` : label,
      `'${label}' of the request`,
      isNamed ? content : text,
    );
    return isNamed ? Setting.join(`${name}=`, secret) : secret;
  });
  if (pieces.every((piece) => typeof piece === "string")) return value;
  return Setting.join(...pieces);
}

function isKnown(text: string): boolean {
  const [, subtype] = MEDIA_TYPE.exec(text) ?? [];
  if (subtype !== undefined) return !isCredentialValue(subtype) && !isJoinedKey(subtype);
  const [, name = "", value = ""] = /^([\w.-]{1,40})\s*=\s*"?([^"]*)"?$/.exec(text) ?? [];
  if (name.toLowerCase() === "boundary") return /^[\w'()+,./:=?-]{1,70}$/.test(value);
  return PARAMETERS.test(name) && !isCredentialName(name) && isHarmless(name, value);
}
