/**
 * What helpers of tests started is ended after each test, or after each file. Files share their workers, so a helper is imported
 * once and hooks of its own would count only for the first file; `setup.ts` runs these for all.
 */
type CleanUp = () => unknown;

const afterTests: CleanUp[] = [];
const afterFiles: CleanUp[] = [];

export const cleanUpAfterTest = (cleanUp: CleanUp): unknown => afterTests.push(cleanUp);
export const cleanUpAfterFile = (cleanUp: CleanUp): unknown => afterFiles.push(cleanUp);

export const endTest = (): Promise<void> => run(afterTests);
export const endFile = (): Promise<void> => run(afterFiles);

async function run(cleanUps: readonly CleanUp[]): Promise<void> {
  for (const cleanUp of cleanUps) await cleanUp();
}
