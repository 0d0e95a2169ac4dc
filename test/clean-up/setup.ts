import { afterAll, afterEach } from "vitest";
import { endFile, endTest } from "./clean-up.ts";

afterEach(endTest);
afterAll(endFile);
