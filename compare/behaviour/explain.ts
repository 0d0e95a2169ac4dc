import { readFileSync } from "node:fs";
import type { Replayed } from "./replay.ts";

export type Kind = "decision" | "defect";

/** Failures of mci-py that one line of the pages for those who come from it explains. */
export interface Difference {
  /** Its name in docs/. */
  readonly page: string;
  readonly anchor: string;
  readonly kind: Kind;
  readonly ids: readonly string[];
}

export interface Topic {
  readonly topic: string;
  readonly cases: number;
  readonly passes: number;
  readonly decisions: number;
  readonly defects: number;
}

export interface Behaviour {
  readonly topics: readonly Topic[];
  readonly differences: readonly Difference[];
  /** Failures that nothing explains: their ids, and what is missing. */
  readonly unexplained: readonly string[];
  /** Cases marked as different that pass. */
  readonly alike: readonly string[];
}

const PAGES = ["migrating-from-mci-py.md", "migrating-from-mci-py-calls.md"];

/** Which line of the pages explains which case. */
const LINES: Readonly<Record<string, readonly string[]>> = JSON.parse(
  readFileSync(new URL("explained.json", import.meta.url), "utf8"),
);

/** Sorts failures by topic and by the line that explains them. */
export function explain(replayed: readonly Replayed[]): Behaviour {
  const pageOf = new Map(PAGES.flatMap((page) => anchorsOf(page).map((anchor) => [anchor, page])));
  const anchors = [...pageOf.keys()];
  const lineOf = new Map(Object.entries(LINES).flatMap(([anchor, ids]) => ids.map((id) => [id, anchor])));

  const failed = replayed.filter(({ differences }) => differences.length > 0);
  const groups = new Map<string, { page: string; anchor: string; kind: Kind; ids: string[] }>();
  const unexplained: string[] = [];
  for (const each of failed) {
    const { id } = each.case;
    const [kind, anchor] = [kindOf(each), lineOf.get(id)];
    if (kind === undefined) unexplained.push(`${id}: the case has no "differs" (${each.differences[0]})`);
    else if (anchor === undefined) unexplained.push(`${id}: no line in compare/behaviour/explained.json`);
    else if (!pageOf.has(anchor)) unexplained.push(`${id}: no page has a line ${anchor}`);
    else {
      const group = groups.get(`${anchor} ${kind}`) ?? { page: pageOf.get(anchor)!, anchor, kind, ids: [] };
      group.ids.push(id);
      groups.set(`${anchor} ${kind}`, group);
    }
  }
  const order = (difference: Difference) => anchors.indexOf(difference.anchor);
  return {
    topics: topics(replayed),
    differences: [...groups.values()].sort((a, b) => order(a) - order(b)),
    unexplained,
    alike: replayed
      .filter((each) => each.differences.length === 0 && kindOf(each))
      .map((each) => each.case.id),
  };
}

function anchorsOf(page: string): string[] {
  const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), "utf8");
  return [...text.matchAll(/<a id="([^"]+)">/g)].map(([, anchor]) => anchor!);
}

function topics(replayed: readonly Replayed[]): Topic[] {
  return [...Map.groupBy(replayed, ({ topic }) => topic)].map(([topic, cases]) => {
    const failed = cases.filter(({ differences }) => differences.length > 0);
    return {
      topic,
      cases: cases.length,
      passes: cases.length - failed.length,
      decisions: failed.filter((each) => kindOf(each) === "decision").length,
      defects: failed.filter((each) => kindOf(each) === "defect").length,
    };
  });
}

function kindOf(replayed: Replayed): Kind | undefined {
  const kind = replayed.case.differs?.["mci-py"];
  return kind === "decision" || kind === "defect" ? kind : undefined;
}
