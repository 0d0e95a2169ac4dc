import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { childrenOf } from "./directory.ts";
import { digestOf } from "./skill-files.ts";
import { SkillFolder } from "./skill-folder.ts";

const manifest = (name: string) => `---\nname: ${name}\ndescription: About ${name}\n---\n\n# ${name}\n`;

function folder(files: Readonly<Record<string, string | Buffer>>): string {
  const root = temporaryFolder(files);
  mkdirSync(join(root, "skills"), { recursive: true });
  return join(root, "skills");
}

test("each folder with a SKILL.md is a skill, with the digests and sizes of all its files [MCP-skills]", async () => {
  const path = folder({
    "skills/forms/SKILL.md": manifest("forms"),
    "skills/forms/references/A B.md": "Grüße",
    "skills/forms/logo.png": Buffer.from([0x89, 0x50, 0xff]),
    "skills/forms/.env": "SECRET=1",
    "skills/forms/.git/config": "x",
    "skills/team/refunds/SKILL.md": manifest("refunds"),
    "skills/README.md": "not a skill",
  });
  const skills = new SkillFolder(path);
  const { skills: listed, problems } = await skills.list();
  expect(problems).toEqual([]);
  expect(listed.map(({ uri }) => uri)).toEqual(["skill://forms/SKILL.md", "skill://team/refunds/SKILL.md"]);
  expect(listed[0]!.resources).toEqual([
    ...[
      {
        uri: "skill://forms/SKILL.md",
        digest: digestOf(Buffer.from(manifest("forms"))),
        size: manifest("forms").length,
      },
    ],
    { uri: "skill://forms/logo.png", digest: digestOf(Buffer.from([0x89, 0x50, 0xff])), size: 3 },
    { uri: "skill://forms/references/A%20B.md", digest: digestOf(Buffer.from("Grüße")), size: 7 },
  ]);
  expect(await skills.read("skill://forms/references/A%20B.md")).toEqual({
    contents: [{ uri: "skill://forms/references/A%20B.md", mimeType: "text/markdown", text: "Grüße" }],
  });
  expect(await skills.read("skill://forms/logo.png")).toMatchObject({
    contents: [{ mimeType: "image/png", blob: "iVD/" }],
  });
  expect(childrenOf(listed, "skill://forms")).toMatchObject([
    { uri: "skill://forms/SKILL.md", name: "forms", description: "About forms" },
    { uri: "skill://forms/logo.png", mimeType: "image/png" },
    { uri: "skill://forms/references", name: "references", mimeType: "inode/directory" },
  ]);
  expect(childrenOf(listed, "skill://forms/SKILL.md")).toBeUndefined();
  expect(childrenOf(listed, "skill://forms/")).toBeUndefined();
});

test.each([
  "skill://forms/.env",
  "skill://forms/../../outside.md",
  "skill://forms/..%2f..%2foutside.md",
  "skill://forms/%2e%2e/%2e%2e/outside.md",
  "skill:///etc/passwd",
  "skill://forms/SKILL.md/",
  "skill://forms//SKILL.md",
  "file:///etc/passwd",
])("nothing but listed files is read: %s [MCP-skills-hostile]", async (uri) => {
  const path = folder({
    "skills/forms/SKILL.md": manifest("forms"),
    "skills/forms/.env": "SECRET=1",
    "outside.md": "outside",
  });
  expect(await new SkillFolder(path).read(uri)).toBeUndefined();
});

test("links lead nowhere: a skill with one is not served, and says why [MCP-skills-hostile]", async () => {
  const path = folder({
    "outside.md": "outside",
    "out/SKILL.md": manifest("out"),
    "skills/file/SKILL.md": manifest("file"),
    "skills/below/SKILL.md": manifest("below"),
    "skills/good/SKILL.md": manifest("good"),
  });
  symlinkSync(join(path, "../outside.md"), join(path, "file/linked.md"));
  symlinkSync(join(path, ".."), join(path, "below/linked"));
  symlinkSync(join(path, "../out"), join(path, "out"));
  const skills = new SkillFolder(path);
  const { skills: listed, problems } = await skills.list();
  expect(listed.map(({ uri }) => uri)).toEqual(["skill://good/SKILL.md"]);
  expect(problems).toEqual([
    "the skill in skills/below is not served: it holds something that is not a regular file: below/linked",
    "the skill in skills/file is not served: it holds something that is not a regular file: file/linked.md",
  ]);
  for (const uri of ["skill://file/linked.md", "skill://below/linked/outside.md", "skill://out/SKILL.md"])
    expect(await skills.read(uri)).toBeUndefined();
});

test("a file that becomes a link after it was listed is not read [MCP-skills-hostile]", async () => {
  const path = folder({
    "outside.md": "outside",
    "skills/a/SKILL.md": manifest("a"),
    "skills/a/x/f.md": "f",
  });
  const skills = new SkillFolder(path);
  await skills.list();
  rmSync(join(path, "a/x"), { recursive: true });
  symlinkSync(join(path, ".."), join(path, "a/x"));
  writeFileSync(join(path, "../f.md"), "outside");
  await expect(skills.read("skill://a/x/f.md")).rejects.toThrow("through a link");
  rmSync(join(path, "a/SKILL.md"));
  symlinkSync(join(path, "../outside.md"), join(path, "a/SKILL.md"));
  await expect(skills.read("skill://a/SKILL.md")).rejects.toThrow("through a link");
});

test("a folder that is itself a link is not served [MCP-skills-hostile]", async () => {
  const path = folder({ "elsewhere/a/SKILL.md": manifest("a") });
  rmSync(path, { recursive: true });
  symlinkSync(join(path, "../elsewhere"), path);
  expect(await new SkillFolder(path).list()).toEqual({
    skills: [],
    problems: ["the folder 'skills' is a symbolic link, and is not served"],
  });
});

test("skills that are too large, broken or misnamed are left out, each with its reason [MCP-skills-hostile]", async () => {
  const path = folder({
    "skills/SKILL.md": manifest("skills"),
    "skills/large/SKILL.md": manifest("large"),
    "skills/large/data.bin": "",
    "skills/many/SKILL.md": manifest("many"),
    ...Object.fromEntries(Array.from({ length: 512 }, (_, index) => [`skills/many/${index}.md`, ""])),
    "skills/other/SKILL.md": manifest("another"),
    "skills/bytes/SKILL.md": Buffer.from([0x2d, 0x2d, 0x2d, 0x0a, 0xff]),
    "skills/good/SKILL.md": manifest("good"),
  });
  truncateSync(join(path, "large/data.bin"), 17 * 1024 * 1024);
  const { skills, problems } = await new SkillFolder(path).list();
  expect(skills.map(({ uri }) => uri)).toEqual(["skill://good/SKILL.md"]);
  expect(problems.map((problem) => problem.split(": ").slice(1).join(": ")).sort()).toEqual([
    "a skill needs a folder of its own, named as the skill",
    "it has more than 512 files",
    "its SKILL.md is not UTF-8",
    "its files have more than 16777216 bytes together",
    "its name is 'another', and must be that of its folder, 'other'",
  ]);
});

test("without a folder there are no skills, and nothing to say [MCP-skills]", async () => {
  expect(await new SkillFolder("/nowhere/skills").list()).toEqual({ skills: [], problems: [] });
});
