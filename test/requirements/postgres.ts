import type { Requirements } from "./requirements.ts";

export default {
  "D-busy": "A pool whose connections are all in use is reported as such, and recovers",
  "D-embedded":
    "Without DATABASE_URL a PostgreSQL of this machine starts in the data folder, survives kills, and stops with its last user",
  "D-migrate": "Migrations run once each, in order, in transactions, whatever starts side by side",
  "D-newer": "A database that a newer version has upgraded is refused, with what to do",
  "D-unreachable": "A database that cannot be reached is named by host and never by password",
} satisfies Requirements;
