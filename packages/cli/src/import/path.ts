import { decodeUri } from "@mci-ts/primitives/decode-uri";
import { Setting } from "mci-ts/authoring";
import { isCredentialValue, isJoinedKey, namesCredential } from "./credentials.ts";
import type { RequestTool } from "./request.ts";

/**
 * A path of an example request. Long keys in it, as in the addresses of webhooks, are variables; a number or UUID is a
 * property, because it names one of many; anything else is what `segment` makes of it.
 */
export function pathSetting(
  path: string,
  tool: RequestTool,
  segment: (text: string, before: string) => string | Setting | undefined = () => undefined,
): { readonly setting: Setting; readonly display: string } {
  const segments = path.split("/");
  const pieces = segments.map((text, index): string | Setting => {
    const before = segments.slice(0, index).findLast((name) => /^[A-Za-z]/.test(name)) ?? "";
    const made = segment(text, before);
    if (made !== undefined) return made;
    if (isIdentifier(text, before))
      return tool.askText(idName(before), text, {
        default: true,
        description: `${UUID.test(text) ? "UUID" : "Number"} after '${before}'.`,
      });
    return isKey(decodeUri(text))
      ? tool.secret(before === "" ? "path" : `${before}_path`, `Part of the address after '${before}'`, text)
      : text;
  });
  return {
    setting: Setting.join(...pieces.flatMap((piece, index) => (index === 0 ? [piece] : ["/", piece]))),
    /** Names and descriptions use this form. */
    display: pieces.map((piece) => (typeof piece === "string" ? piece : "{…}")).join("/"),
  };
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

export function isKey(text: string): boolean {
  return isCredentialValue(text) || isJoinedKey(text) || namesCredential(text);
}

/** `/users/7` and `/user/42`; the number in `/api/3` is a version. */
function isIdentifier(text: string, before: string): boolean {
  return UUID.test(text) || (/^\d{1,18}$/.test(text) && (text.length > 1 || /s$/i.test(before)));
}

/** `/users/42`: `users_id`. */
function idName(before: string): string {
  return before === "" ? "id" : `${before}_id`;
}
