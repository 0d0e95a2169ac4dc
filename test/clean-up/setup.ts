import { afterAll, afterEach, expect, vi } from "vitest";
import { endFile, endTest } from "./clean-up.ts";

// Unit tests start no processes that could be late: what fails there now and then is a defect.
const noRetry: object = { retry: 0 };
if (/\/packages\/[^/]+\/src\//.test(expect.getState().testPath ?? "")) vi.setConfig(noRetry);

afterEach(endTest);
afterAll(endFile);
