import type { Requirements } from "./requirements.ts";

export default {
  "D-busy": "A pool whose connections are all in use is reported as such, and recovers",
  "D-embedded":
    "Without DATABASE_URL a PostgreSQL of this machine starts in the data folder, survives kills, and stops with its last user",
  "D-migrate": "Migrations run once each, in order, in transactions, whatever starts side by side",
  "D-newer": "A database that a newer version has upgraded is refused, with what to do",
  "I-clock": "Instances judge each other by the clock of the database, never by their own",
  "I-fence": "An instance that was declared dead writes nothing when it wakes up, and ends",
  "I-killed": "The work of a killed instance is taken over by a living one",
  "I-reconnect": "An instance that loses its connections for a moment stays alive",
  "I-workflows": "Workflows of a killed instance are finished by a living one, each step recorded once",
  "D-unreachable": "A database that cannot be reached is named by host and never by password",
} satisfies Requirements;
