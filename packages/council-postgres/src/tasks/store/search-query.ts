import type { TaskFilter, TaskQuery, TaskStatus } from "@mci-ts/council";
import { STATUS, WITH_WORKFLOW } from "./task-query.ts";

export interface TaskSearch {
  /** Selects `id` and `created_at`, newest first. */
  readonly sql: string;
  readonly values: readonly unknown[];
}

/**
 * The tasks that a filter names. A status is computed from two tables (`task-query.ts`), so that no index has it. Where a task is over
 * its own row says how, and there is an index of each kind; the others are few, or follow from an index of the engine. Every part
 * stops after a page, in the order of its index.
 */
export function searchTasks({
  status,
  name,
  subject,
  waiting = false,
  after,
  limit,
}: TaskFilter): TaskSearch {
  const values: unknown[] = [limit];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const words = name === undefined ? undefined : parameter(wordsQuery(name));
  const conditions = [
    ...(subject === undefined ? [] : [`t.subject = ${parameter(subject)}`]),
    ...(after === undefined
      ? []
      : [`(t.created_at, t.id) < (SELECT created_at, id FROM council.tasks WHERE id = ${parameter(after)})`]),
  ];
  const page = "ORDER BY created_at DESC, id DESC LIMIT $1";
  const parts = (waiting ? WAITING : partsOf(status)).flatMap(({ from, where }) =>
    (words === undefined ? [[]] : nameConditions(words)).map(
      (named) =>
        `(SELECT t.id, t.created_at ${from} WHERE ${[where, ...named, ...conditions].join(" AND ")} ORDER BY t.created_at DESC, t.id DESC LIMIT $1)`,
    ),
  );
  const hits = words === undefined ? "" : `WITH named AS MATERIALIZED (${namedTasks(words)}) `;
  return { sql: `${hits}SELECT id, created_at FROM (${parts.join(" UNION ALL ")}) found ${page}`, values };
}

const matchesWords = (words: string) => `t.name_words @@ to_tsquery('simple', ${words})`;
const namedTasks = (words: string) =>
  `SELECT t.id FROM council.tasks t WHERE ${matchesWords(words)} LIMIT ${MANY_TASKS + 1}`;

/**
 * PostgreSQL cannot know how many names begin with a word: it would look at all tasks, newest first, for a word that few or none have.
 * So the index of names is asked first. Few hits are sorted; of many a page is soon found among the newest tasks. One of the two is
 * not executed.
 */
const nameConditions = (words: string): readonly (readonly string[])[] => [
  [`(SELECT count(*) FROM named) > ${MANY_TASKS}`, matchesWords(words)],
  [`(SELECT count(*) FROM named) <= ${MANY_TASKS}`, "t.id IN (SELECT id FROM named)"],
];

const MANY_TASKS = 2000;

/** A filter of words that holds no word finds nothing. */
export const findsNothing = ({ name }: TaskQuery): boolean => name !== undefined && wordsQuery(name) === "";

/** All words, each as the beginning of one. Letters and digits only: nothing of a search is an operator. */
function wordsQuery(name: string): string {
  const words = name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words
    .slice(0, MAX_WORDS)
    .map((word) => `'${word}':*`)
    .join(" & ");
}

const MAX_WORDS = 20;

interface Part {
  readonly from: string;
  readonly where: string;
}

const ALONE = "FROM council.tasks t";

/**
 * Tasks with a step that waits for a person: a paused one says so, a plan may go on with other steps meanwhile. The code is compared
 * as JSON: beside it stand replies of models, which PostgreSQL may have no text for.
 */
const WAITING: readonly Part[] = [
  {
    from: ALONE,
    where: `t.ended_at IS NULL AND t.error IS NOT NULL AND (t.error -> 'code')::text = '"undecided"'`,
  },
  {
    from: ALONE,
    where: `t.ended_at IS NULL AND t.error IS NULL AND t.kind = 'plan' AND EXISTS (SELECT 1 FROM council.task_steps s
      WHERE s.task_id = t.id AND (s.record -> 'kind')::text = '"undecided"')`,
  },
];

/** No task is in two of them. */
function partsOf(status: TaskStatus | undefined): readonly Part[] {
  if (status === undefined) return [{ from: ALONE, where: "true" }];
  const unfinished = {
    from: WITH_WORKFLOW,
    where: `t.ended_at IS NULL AND (${UNFINISHED[status]}) AND ${STATUS} = '${status}'`,
  };
  const over = OVER[status];
  return [
    ...(over === undefined ? [] : [{ from: ALONE, where: `t.ended_at IS NOT NULL AND ${over}` }]),
    ...(status === "complete" ? [] : [unfinished]),
  ];
}

/** How the row of a task that is over says so. */
const OVER: Partial<Record<TaskStatus, string>> = {
  complete: "t.result IS NOT NULL",
  failed: "t.result IS NULL AND t.error IS NOT NULL",
  cancelled: "t.result IS NULL AND t.error IS NULL",
};

/** What the engine must say of others: each follows from the status, and has an index. */
const UNFINISHED: Readonly<Record<TaskStatus, string>> = {
  queued: "true",
  running: "w.status = 'PENDING'",
  paused: "t.error IS NOT NULL",
  complete: "false",
  failed: "w.status IN ('SUCCESS', 'ERROR', 'MAX_RECOVERY_ATTEMPTS_EXCEEDED')",
  cancelled: "w.status = 'CANCELLED' AND t.error IS NULL",
};
