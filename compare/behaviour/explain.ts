import { readFileSync } from "node:fs";
import type { Replayed } from "./replay.ts";

export type Kind = "decision" | "defect";

/** Failures of mci-py that one line of docs/migrating-from-mci-py.md explains. */
export interface Difference {
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

/** Which line of the page explains which case. */
const LINES: Readonly<Record<string, readonly string[]>> = JSON.parse(
  readFileSync(new URL("explained.json", import.meta.url), "utf8"),
);

/** Sorts failures by topic and by the line that explains them. */
export function explain(replayed: readonly Replayed[]): Behaviour {
  const page = readFileSync(new URL("../../docs/migrating-from-mci-py.md", import.meta.url), "utf8");
  const anchors = [...page.matchAll(/<a id="([^"]+)">/g)].map(([, anchor]) => anchor!);
  const lineOf = new Map(Object.entries(LINES).flatMap(([anchor, ids]) => ids.map((id) => [id, anchor])));

  const failed = replayed.filter(({ differences }) => differences.length > 0);
  const groups = new Map<string, { anchor: string; kind: Kind; ids: string[] }>();
  const unexplained: string[] = [];
  for (const each of failed) {
    const { id } = each.case;
    const [kind, anchor] = [kindOf(each), lineOf.get(id)];
    if (kind === undefined) unexplained.push(`${id}: the case has no "differs" (${each.differences[0]})`);
    else if (anchor === undefined) unexplained.push(`${id}: no line in compare/behaviour/explained.json`);
    else if (!anchors.includes(anchor)) unexplained.push(`${id}: the page has no line ${anchor}`);
    else {
      const group = groups.get(`${anchor} ${kind}`) ?? { anchor, kind, ids: [] };
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
