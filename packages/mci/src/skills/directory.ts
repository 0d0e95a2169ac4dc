import { decodeUri } from "@mci-ts/primitives/decode-uri";
import type { McpResource, McpSkill } from "../mcp/protocol.ts";
import { mimeTypeOf } from "./mime-type.ts";

const DIRECTORY = "inode/directory";

/** The direct children of a folder of skills, from their lists of files. Undefined if there is no such folder. */
export function childrenOf(skills: readonly McpSkill[], folder: string): McpResource[] | undefined {
  const children = new Map<string, McpResource>();
  for (const { uri, resources, frontmatter } of skills) {
    const files = resources === "dynamic" ? [uri] : resources.map((file) => file.uri);
    for (const file of files) {
      if (!file.startsWith(`${folder}/`) || folder.endsWith("/")) continue;
      const [segment = "", ...below] = file.slice(folder.length + 1).split("/");
      const child = `${folder}/${segment}`;
      if (below.length > 0)
        children.set(child, { uri: child, name: decodeUri(segment), mimeType: DIRECTORY });
      else
        children.set(child, {
          uri: child,
          name: file === uri ? frontmatter.name : decodeUri(segment),
          ...(file === uri && { description: frontmatter.description }),
          mimeType: mimeTypeOf(segment),
        });
    }
  }
  return children.size === 0 ? undefined : [...children.values()];
}
