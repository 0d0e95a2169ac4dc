import type { Requirements } from "./requirements.ts";

export default {
  "I-integers": "Integers keep their digits, however large they are",
  "H-private": "Private, local and reserved addresses are not public, in every notation",
  "R-reload": "What is loaded again while it is in use is closed after its last use, and not before",
} satisfies Requirements;
