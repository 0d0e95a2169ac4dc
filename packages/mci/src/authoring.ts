/** For programs that write or explain files of tools: what the `mci` command needs besides a client. */
export { listedSchema } from "./definitions/listed-schema.ts";
export { describePath } from "./load/problems.ts";
export { DEFAULT_LIBRARY_DIR } from "./schema/defaults.ts";
export { Secrets } from "./secrets.ts";
export {
  type GenerateSkillOptions,
  generateSkill,
  isGeneratedSkill,
  type SkillExample,
} from "./skills/generate-skill.ts";
export { jinjaReferences } from "./template/jinja/references.ts";
export { type Reference, references } from "./template/references.ts";
export {
  documentVariable,
  ownVariable,
  Setting,
  type WrittenSettings,
  writeServer,
  writeSettings,
} from "./template/setting.ts";
export { generateTypes } from "./types-generator/generate.ts";
