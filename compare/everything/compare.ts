import { isDeepStrictEqual } from "node:util";
import { alone, type Seen, throughMci } from "./connect.ts";
import { FEATURES } from "./features.ts";

/** What a client sees of a feature on both ways. */
export interface Row {
  readonly name: string;
  readonly isSame: boolean;
  readonly reason?: string | undefined;
  readonly isKept?: boolean | undefined;
  /** Where they differ: the two as JSON. */
  readonly seen?: { readonly alone: string; readonly through: string };
}

/** Each feature of `server-everything`: by itself, and through `mci run`. */
export async function compareEverything(onFeature: (name: string) => void): Promise<readonly Row[]> {
  const [bare, served] = await Promise.all([alone(), throughMci()]);
  const rows: Row[] = [];
  try {
    for (const { name, see, reason, isKept } of FEATURES) {
      onFeature(name);
      const [first, second] = [await look(see, bare), await look(see, served)];
      // Two failures are not the same feature seen twice.
      if (isFailure(first)) throw new Error(`${name}: the server itself failed: ${JSON.stringify(first)}`);
      const isSame = isDeepStrictEqual(first, second);
      const seen = { alone: String(JSON.stringify(first)), through: String(JSON.stringify(second)) };
      rows.push({ name, isSame, ...(isSame ? {} : { reason, isKept, seen }) });
    }
  } finally {
    await Promise.all([bare.close(), served.close()]);
  }
  return rows;
}

const FAILED = "failed, and nothing was seen";

const isFailure = (value: unknown): boolean => typeof value === "object" && value !== null && FAILED in value;

async function look(see: (seen: Seen) => Promise<unknown>, seen: Seen): Promise<unknown> {
  try {
    const value = await see(seen);
    return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
  } catch (error) {
    return { [FAILED]: (error as Error).message };
  }
}

/** The page of the comparison. */
export function everythingPage(rows: readonly Row[], version: string): string {
  const same = rows.filter(({ isSame }) => isSame).length;
  const kept = rows.filter(({ isSame, isKept }) => !isSame && isKept).length;
  const lines = rows.map(({ name, isSame, reason }) =>
    isSame ? `| ${name} | the same |` : `| ${name} | differs: ${reason ?? "**a defect**"} |`,
  );
  return `# server-everything through mci run

Each feature of \`@modelcontextprotocol/server-everything\` ${version} that a client can see: asked of the server alone, and of \`mci run\` with a file that includes it. The client is the official one (TypeScript), on standard input and
output, with everything that a server may ask for. Times of day are not compared. Written by \`npm run compare -- --everything\`, which fails where a difference has no reason.

${same} of ${rows.length} are the same. In ${kept} more nothing is lost: it is said in another way. The other ${rows.length - same - kept} are not in the revision of 2026-07-28 any more, or deprecated by it.

| Feature | Through \`mci run\` |
|---|---|
${lines.join("\n")}
`;
}
