import { expect, test } from "vitest";
import type { ListedSkill, McpSkill } from "../../mcp/protocol.ts";
import { Secrets } from "../../secrets.ts";
import { addSegment, applyServerSkills, isSkillList, removeSegment } from "./server-skills.ts";

const digest = `sha256:${"a".repeat(64)}`;
const skill = (name: string, description = "About it"): McpSkill => ({
  uri: `skill://${name}/SKILL.md`,
  frontmatter: { name, description },
  resources: [{ uri: `skill://${name}/SKILL.md`, digest, size: 1 }],
});
const apply = (settings: object, listed: readonly ListedSkill[], ...values: string[]) => {
  const secrets = new Secrets();
  for (const value of values) secrets.add(value, "credential");
  return applyServerSkills("s", { command: "x", ...settings } as never, listed, secrets);
};

test("entries that are not skills, or repeat a secret, are left out and named [MCP-skills-filtered]", () => {
  const listed = [
    skill("good"),
    { uri: "skill://bad/SKILL.md", refused: "it has no description" },
    skill("leaky", "The key is hunter2hunter2"),
  ];
  const { skills, notes } = apply({}, listed, "hunter2hunter2");
  expect(skills.map((one) => one.listed.uri)).toEqual(["skill://good/SKILL.md"]);
  expect(notes).toEqual([
    "the skill skill://bad/SKILL.md is left out: it has no description",
    "the skill skill://leaky/SKILL.md is left out: it contains a value of env that was sent to the server",
  ]);
});

test.each([
  ["shop_", "skill://shop/a/SKILL.md"],
  ["a.b-", "skill://a.b/a/SKILL.md"],
  ["__", "skill://a/SKILL.md"],
  ["", "skill://a/SKILL.md"],
])("a prefix %j gives the address %s, and back [MCP-skills-filtered]", (prefix, uri) => {
  const { skills, skillServers } = apply({ prefix }, [skill("a")]);
  expect(skills[0]!.listed).toMatchObject({ uri, resources: [{ uri, digest }] });
  expect(skills[0]!.entry.uri).toBe("skill://a/SKILL.md");
  expect(removeSegment(uri, skillServers.get("s")!.segment)).toBe("skill://a/SKILL.md");
});

test("addresses of another server or another scheme are not changed [MCP-skills-filtered]", () => {
  expect(removeSegment("skill://shop2/a/SKILL.md", "shop")).toBeUndefined();
  expect(addSegment("github://a/SKILL.md", "shop")).toBe("github://a/SKILL.md");
  expect(removeSegment("github://a/SKILL.md", "shop")).toBe("github://a/SKILL.md");
});

test("of a server without skills, or with skills: false, there are none [MCP-skills-filtered]", () => {
  for (const none of [
    apply({ skills: false }, [skill("a")]),
    applyServerSkills("s", {} as never, undefined, new Secrets()),
  ])
    expect([none.skills, none.skillServers.size]).toEqual([[], 0]);
});

test.each([
  [undefined, true],
  [[skill("a"), { uri: "x", refused: "no" }, { ...skill("a"), resources: "dynamic" }], true],
  ["text", false],
  [[{ uri: "x" }], false],
  [[{ ...skill("a"), resources: [{ uri: "x", digest: "md5:1", size: 1 }] }], false],
  [[{ ...skill("a"), resources: [{ uri: "x", digest, size: "1" }] }], false],
  [[{ ...skill("a"), frontmatter: { name: 1, description: "x" } }], false],
])("a list in a cache is checked: %j [MCP-skills-hostile]", (list, isValid) => {
  expect(isSkillList(list)).toBe(isValid);
});
