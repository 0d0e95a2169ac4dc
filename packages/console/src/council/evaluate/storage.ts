import type { Cell, Evaluation } from "./types.ts";

/*
 * Evaluations are in the database of this browser: they outlive the tab, and all tabs see them. Where a browser refuses one, they are
 * in memory, and the screen says so.
 */

const NAME = "mci-console-evaluations";

export interface Storage {
  /** Why nothing outlives the page; undefined where it does. */
  readonly problem: string | undefined;
  list(): Promise<readonly Evaluation[]>;
  read(id: string): Promise<Evaluation | undefined>;
  cells(id: string): Promise<readonly Cell[]>;
  /** Changes what is stored now, which another tab may have written. */
  change(id: string, change: (before: Evaluation | undefined) => Evaluation): Promise<Evaluation>;
  writeCell(id: string, cell: Cell): Promise<void>;
  remove(id: string): Promise<void>;
}

let opened: Promise<Storage> | undefined;

/** The same for all screens of the page. */
export function openStorage(): Promise<Storage> {
  opened ??= openDatabase().then(inDatabase, (error: unknown) =>
    inMemory(`This browser stores nothing (${error instanceof Error ? error.message : String(error)})`),
  );
  return opened;
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("evaluations", { keyPath: "id" });
      request.result.createObjectStore("cells");
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("it cannot be opened"));
  });
}

function inDatabase(database: IDBDatabase): Storage {
  const cellsOf = (id: string) => IDBKeyRange.bound([id], [id, []]);
  const write = async (stores: string[], work: (transaction: IDBTransaction) => void) => {
    const transaction = database.transaction(stores, "readwrite");
    work(transaction);
    await ended(transaction);
  };
  const reading = (store: string) => database.transaction(store, "readonly").objectStore(store);
  return {
    problem: undefined,
    list: () => result<Evaluation[]>(reading("evaluations").getAll()),
    read: (id) => result<Evaluation | undefined>(reading("evaluations").get(id)),
    cells: (id) => result<Cell[]>(reading("cells").getAll(cellsOf(id))),
    async change(id, change) {
      const transaction = database.transaction(["evaluations"], "readwrite");
      const store = transaction.objectStore("evaluations");
      const changed = change(await result<Evaluation | undefined>(store.get(id)));
      store.put(changed);
      await ended(transaction);
      return changed;
    },
    writeCell: (id, cell) =>
      write(["cells"], (transaction) => transaction.objectStore("cells").put(cell, [id, cell.key])),
    remove: (id) =>
      write(["evaluations", "cells"], (transaction) => {
        transaction.objectStore("evaluations").delete(id);
        transaction.objectStore("cells").delete(cellsOf(id));
      }),
  };
}

function inMemory(problem: string): Storage {
  const evaluations = new Map<string, Evaluation>();
  const cells = new Map<string, Map<string, Cell>>();
  return {
    problem,
    list: async () => [...evaluations.values()],
    read: async (id) => evaluations.get(id),
    cells: async (id) => [...(cells.get(id)?.values() ?? [])],
    async change(id, change) {
      const changed = change(evaluations.get(id));
      evaluations.set(id, changed);
      return changed;
    },
    async writeCell(id, cell) {
      const own = cells.get(id) ?? new Map<string, Cell>();
      cells.set(id, own.set(cell.key, cell));
    },
    async remove(id) {
      evaluations.delete(id);
      cells.delete(id);
    },
  };
}

function result<T>(request: IDBRequest): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result as T);
    request.onerror = () => reject(request.error);
  });
}

function ended(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onerror = () => reject(transaction.error);
    transaction.onabort = () => reject(transaction.error ?? new Error("the browser's storage is full"));
  });
}
