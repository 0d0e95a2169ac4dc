import { describeHalf } from "./support/halves.ts";

describeHalf("second-half");
