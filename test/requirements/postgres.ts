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
  "D-wait": "Startup waits for a server that is down or starting, says so, and gives up in the end",
  "D-lost": "A connection that is lost at any moment fails a query, never the process",
  "D-unreachable": "A database that cannot be reached is named by host and never by password",
  "TD-answer": "A person's answer is recorded as a step, and what the undecided vote cost is counted",
  "TD-budget": "A task whose budget is spent pauses with the reason",
  "TD-crash":
    "After a kill at any moment every step is there once, and at most the open one is voted on again",
  "TD-failed": "A task whose workflow ends with an error is failed with the reason, and never waits forever",
  "TD-fence":
    "An instance that was declared dead writes nothing of a task when it wakes up, says so, and ends",
  "TD-fork": "A fork takes over the steps before it; the task it comes from stays as it is",
  "TD-once": "Every decided step is recorded once, in order, before the next begins",
  "TD-pause": "A paused task goes on where it was, and counts every call once",
  "TD-upgrade":
    "Instances continue tasks of an older version whose instances are gone, and leave those of a newer one alone",
  "TD-plan":
    "A plan is voted on, its steps run side by side as their dependencies allow, and an undecided one waits for a person",
} satisfies Requirements;
