/**
 * What a package must do, by id: one list per package in this folder. Every id stands in brackets in the title of at
 * least one test of that package, and every id in a title is listed (`requirements.test.ts` checks both directions). A
 * requirement that changes is changed here first.
 */
export type Requirements = Readonly<Record<string, string>>;
