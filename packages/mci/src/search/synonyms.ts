import { wordsOf } from "./words.ts";

/**
 * Words that people and APIs use for the same thing. Every word of a line stands for the others. Common verbs first, then
 * nouns that are shortened.
 */
const GROUPS = {
  reading: [
    "get fetch retrieve read show view see look display info detail",
    "list enumerate all show see get index",
    "find search lookup query discover locate filter",
    "download export fetch get",
    "check test verify validate ping is has whether confirm",
    "count number total quantity amount stat",
    "compare diff difference",
    "history log audit event activity past",
    "history version revision",
    "info information about detail metadata describe profile",
  ],
  writing: [
    "report file create submit",
    "ask request",
    "enable create activate",
    "create add new make open start register insert generate provision set build",
    "send post publish submit write deliver tell notify message",
    "upload attach add import push",
    "copy duplicate clone fork",
    "invite add join enroll subscribe",
    "schedule later tomorrow plan timer",
    "remind reminder remember",
    "reply respond answer comment",
    "comment note remark annotate discuss",
    "subscribe watch follow",
    "buy purchase order acquire provision",
    "pay payment charge card",
    "book reserve",
    "update edit change modify set configure patch put save adjust alter",
    "rename name title",
    "replace set update swap overwrite",
    "assign add give grant set",
    "move transfer migrate convert",
    "merge combine join integrate sync",
    "mark set flag tag label",
    "approve accept allow confirm grant permit",
    "deny reject refuse decline dismiss",
    "block ban restrict deny limit",
    "enable activate on",
    "disable deactivate off",
    "protect secure lock",
    "hide minimize redact mask",
    "mute silence snooze pause",
    "make set convert",
    "start begin run launch trigger dispatch execute initiate invoke",
    "stop end terminate close hang pause abort suspend finish cancel quit",
    "repeat rerun retry redeliver resend rerequest",
    "complete done finish resolve close",
    "close reopen update",
    "leave exit quit",
  ],
  deleting: [
    "delete remove destroy erase clear drop cancel purge wipe release discard throw",
    "revoke invalidate reset remove expire delete",
    "kick remove ban",
    "undo restore unarchive recover revert undelete bring",
  ],
  nouns: [
    "user member account",
    "member participant user",
    "authenticated current own",
    "admin administrator owner",
    "author owner creator",
    "group team",
    "workspace team org organization",
    "collaborator member",
    "message sms text chat mms",
    "message messaging",
    "channel conversation room",
    "call phone dial ring telephone",
    "picture photo image png avatar icon media screenshot",
    "repo repository",
    "org organization organisation company",
    "bug issue ticket problem",
    "pr pull",
    "mail email",
    "login signin auth authentication session",
    "logout signout",
    "key token credential secret password",
    "money balance credit cost billing",
    "file document content attachment",
    "board project",
    "dm direct private",
    "newest latest recent last",
    "transcript transcription",
    "bulk several batch multiple list",
    "stock inventory",
    "colour color style",
    "usage use used consumption",
    "day daily",
    "week weekly",
    "month monthly",
    "year yearly annual",
    "online away presence status",
    "state status result",
    "branch ref reference",
    "tag label",
    "limit left remaining rate quota",
    "link url permalink",
    "vulnerability security leak",
    "visitor view traffic",
    "zip archive tarball zipball",
    "html render",
    "build workflow pipeline ci",
    "emoji reaction thumb",
    "deploy deployment release",
    "request attempt delivery",
    "alert notify notification trigger warning",
    "modal view dialog popup",
    "commit push save create",
    "approve review",
    "variable setting config",
    "address ip",
    "delivery webhook hook callback",
  ],
} as const;

/** Words of people that APIs do not use, or use by the way in descriptions, with the word that stands for them. */
export const ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    authenticated: "me my mine myself",
    user: "who person people somebody someone everyone anybody",
  }).flatMap(([word, aliases]) => wordsOf(aliases).map((alias) => [alias, wordsOf(word)[0]!])),
);

/** For each stem the stems that may stand for it. */
export const SYNONYMS: ReadonlyMap<string, ReadonlySet<string>> = readGroups();

export type Intent = "reading" | "writing" | "deleting";

/** What a query wants that begins with this word. Words as they are written: "comments" is not "comment". */
export const INTENTS: ReadonlyMap<string, Intent> = readIntents();

function readGroups(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const group of Object.values(GROUPS).flat()) {
    const stems = wordsOf(group);
    for (const stem of stems) {
      const others = found.get(stem) ?? new Set();
      for (const other of stems) if (other !== stem) others.add(other);
      found.set(stem, others);
    }
  }
  return found;
}

function readIntents(): Map<string, Intent> {
  const intents = new Map<string, Intent>();
  // A word of two groups keeps the first kind: a verb that reads is rarely meant otherwise.
  for (const intent of ["reading", "deleting", "writing"] as const)
    for (const word of GROUPS[intent].join(" ").split(" ")) if (!intents.has(word)) intents.set(word, intent);
  return intents;
}
