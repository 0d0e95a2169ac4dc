import { createHash } from "node:crypto";
import type { TaskInstance } from "@mci-ts/council";
import type { CouncilService } from "../../service.ts";
import { ServiceError } from "../../service-error.ts";
import type { Store } from "../../store/store.ts";
import type { TaskService } from "../../tasks/task-service.ts";

/** Who sends a request, behind an issuer. */
export interface Viewer {
  /** undefined: the operator's own token, which has no subject. */
  readonly subject: string | undefined;
  /** Sees and changes what belongs to others. */
  readonly isAdmin: boolean;
}

/**
 * The service as one caller sees it: every run, task, key, cached response and stream belongs to its subject, and what belongs to
 * another does not exist. Everything that a request can reach goes through here, so that no endpoint has to think of it.
 */
export function ownedService(service: CouncilService, viewer: () => Viewer): CouncilService {
  const isOwn = (subject: string | null | undefined): boolean => {
    const { subject: own, isAdmin } = viewer();
    return isAdmin || (own !== undefined && own === (subject ?? undefined));
  };
  const submit: CouncilService["submit"] = (request, options) => {
    const { subject } = viewer();
    const { idempotencyKey: key } = options;
    return service.submit(request, {
      ...options,
      ...(subject !== undefined && { subject }),
      ...(key !== undefined && { idempotencyKey: scopedKey(subject, key) }),
    });
  };
  const { config, models, statistics, metrics, log, streams, readOnlyTools, tools } = service;
  // Each by name: what is added to the service does not compile until it is said here whose it is.
  return {
    ...{ config, models, statistics, metrics, log, streams, readOnlyTools },
    ...(tools && { tools }),
    store: ownedStore(service.store, viewer, isOwn),
    tasks: ownedTasks(service, viewer, isOwn),
    live(id) {
      const live = service.live(id);
      return live !== undefined && isOwn(live.subject) ? live : undefined;
    },
    submit,
    /** The request asks for it; what it yields later is read outside the request. */
    get runFeed() {
      const { subject, isAdmin } = viewer();
      return isAdmin ? service.runFeed : ownedFeed(service.runFeed, subject);
    },
    scopeSession: (session) => scopedSession(viewer().subject, session),
    get stopping() {
      return service.stopping;
    },
    close: (graceMs) => service.close(graceMs),
  };
}

type Feed = CouncilService["runFeed"];

function ownedFeed(feed: Feed, subject: string | undefined): Feed {
  return {
    async *follow(client) {
      for await (const runs of feed.follow(client)) {
        const own = runs.filter((run) => subject !== undefined && run.subject === subject);
        if (own.length > 0) yield own;
      }
    },
  };
}

/** Two subjects may use the same key for different things. */
function scopedKey(subject: string | undefined, key: string): string {
  return subject === undefined ? key : `${digest(subject)}:${key}`;
}

function scopedSession(subject: string | undefined, session: string): string {
  return subject === undefined ? session : digest(`${subject}\n${session}`);
}

const digest = (text: string) => createHash("sha256").update(text).digest("base64url").slice(0, 32);

type IsOwn = (subject: string | null | undefined) => boolean;

function ownedStore(store: Store, viewer: () => Viewer, isOwn: IsOwn): Store {
  const get: Store["get"] = async (id) => {
    const run = await store.get(id);
    return run !== undefined && isOwn(run.subject) ? run : undefined;
  };
  const mine = () => (viewer().isAdmin ? {} : { subject: viewer().subject ?? "" });
  const ifOwn = async <T>(id: string, read: () => Promise<T>, none: T): Promise<T> =>
    (await get(id)) === undefined ? none : read();
  const { shared, expenses } = store;
  // Each by name: a new way to read the history does not compile until it is said here whose it reads.
  return {
    get,
    list: (query) => store.list({ ...query, ...mine() }),
    count: (query) => store.count({ ...query, ...mine() }),
    events: (id, after) => ifOwn(id, () => store.events(id, after), []),
    // Says that something has changed, and not what.
    onRunChange: (listener) => store.onRunChange(listener),
    calls: (id, call) => ifOwn(id, () => store.calls(id, call), []),
    remove: (id) => ifOwn(id, () => store.remove(id), false),
    measurement: (about, id) => ifOwn(id, () => store.measurement(about, id), undefined),
    // What these find is under a key that has the subject in it, or is about models, not about people.
    findByKey: (key) => store.findByKey(key),
    findCached: (key, since) => store.findCached(key, since),
    sessionCost: (session) => store.sessionCost(session),
    agreements: () => store.agreements(),
    measurements: (about) => store.measurements(about),
    claimWebhooks: (filter) => store.claimWebhooks(filter),
    countWebhooks: () => store.countWebhooks(),
    record: (record) => store.record(record),
    commit: (id) => store.commit(id),
    recorded: () => store.recorded(),
    get stats() {
      return store.stats;
    },
    ...(expenses && { expenses }),
    ...(shared && {
      shared: {
        ...shared,
        runState: (id) => ifOwn(id, () => shared.runState(id), undefined),
        requestCancel: (id) => ifOwn(id, () => shared.requestCancel(id), undefined),
      },
    }),
    close: () => store.close(),
  };
}

function ownedTasks({ tasks }: CouncilService, viewer: () => Viewer, isOwn: IsOwn): TaskService {
  const owned = (instance: TaskInstance) => ownedInstance(instance, viewer, isOwn);
  return {
    create: (spec, once) => {
      const { subject } = viewer();
      return tasks.create(spec, once && { ...once, key: scopedKey(subject, once.key) }, subject);
    },
    async schedule(name, schedule) {
      requireAdmin(viewer());
      return tasks.schedule(name, schedule);
    },
    open: async () => owned(await tasks.open()),
    current: () => tasks.current()?.then(owned),
    close: (graceMs) => tasks.close(graceMs),
  };
}

/** What a schedule starts has no subject. */
function requireAdmin({ isAdmin }: Viewer): void {
  if (!isAdmin)
    throw new ServiceError(
      "insufficient_scope",
      "Schedules belong to the service: they need the admin scope",
    );
}

function ownedInstance(instance: TaskInstance, viewer: () => Viewer, isOwn: IsOwn): TaskInstance {
  const own = async (id: string) => {
    const task = await instance.get(id);
    if (isOwn(task.subject)) return task;
    throw notFound(id);
  };
  const mine = () => (viewer().isAdmin ? {} : { subject: viewer().subject ?? "" });
  return {
    create: (spec, once) => instance.create(spec, once, viewer().subject),
    get: own,
    list: (filter) => instance.list({ ...filter, ...mine() }),
    count: (query) => instance.count({ ...query, ...mine() }),
    async bulk(action, which) {
      if (!isIdList(which)) return instance.bulk(action, { ...which, ...mine() });
      const checked = await Promise.all(
        which.map((id) =>
          own(id).then(
            () => id,
            () => undefined,
          ),
        ),
      );
      const foreign = which.filter((_, index) => checked[index] === undefined);
      const result = await instance.bulk(
        action,
        checked.filter((id) => id !== undefined),
      );
      const refused = foreign.map((id) => ({ id, message: notFound(id).message }));
      return { ...result, refused: [...result.refused, ...refused] };
    },
    steps: (id, from, limit) => own(id).then(() => instance.steps(id, from, limit)),
    strip: (id, range) => own(id).then(() => instance.strip(id, range)),
    pause: (id) => own(id).then(() => instance.pause(id)),
    resume: (id) => own(id).then(() => instance.resume(id)),
    retry: (id) => own(id).then(() => instance.retry(id)),
    delete: (id) => own(id).then(() => instance.delete(id)),
    cancel: (id) => own(id).then(() => instance.cancel(id)),
    fork: (id, step) => own(id).then(() => instance.fork(id, step)),
    answer: (id, step, answer) => own(id).then(() => instance.answer(id, step, answer)),
    // Says when to look again, and nothing of what there is to see.
    watch: (id, signal) => instance.watch(id, signal),
    counts: () => instance.counts(),
    get schedules() {
      requireAdmin(viewer());
      return instance.schedules;
    },
    lost: instance.lost,
    get stats() {
      return instance.stats;
    },
    close: (graceMs) => instance.close(graceMs),
  };
}

const isIdList = (which: readonly string[] | object): which is readonly string[] => Array.isArray(which);

/** The same words as for a task that does not exist. */
function notFound(id: string): ServiceError {
  return new ServiceError("not_found", `There is no task ${JSON.stringify(id.slice(0, 100))}`);
}
