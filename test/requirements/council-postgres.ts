import type { Requirements } from "./requirements.ts";

export default {
  "D-busy": "A pool whose connections are all in use is reported as such, and recovers",
  "D-embedded":
    "Without DATABASE_URL a PostgreSQL of this machine starts in the data folder, survives kills, and stops with its last user",
  "D-scram":
    "Where the embedded PostgreSQL has a port, a program in its place gets neither the password nor a statement",
  "D-user":
    'As root the embedded PostgreSQL runs as a user that exists, "nobody" by default, or says what to do',
  "D-migrate": "Migrations run once each, in order, in transactions, whatever starts side by side",
  "D-newer": "A database that a newer version has upgraded is refused, with what to do",
  "D-pooler":
    "A pooler in session mode works; one that shares sessions between clients is refused, with what to do",
  "D-passing":
    "An error that passes by itself, such as a cancelled statement, is one of the database and not of the request",
  "D-tls":
    "A certificate of the database that does not count, or names another host, is an error at once that says what to add",
  "D-clocks": "Clocks of instances may differ: what one leaves to another is timed by the database's clock",
  "D-half-open":
    "A connection that carries nothing any more fails its statement in time; closing waits for no server that is cut off",
  "I-failover":
    "An instance stops when the timeline of its server changes, writes nothing there, and continues from what is recorded",
  "I-half-open": "An instance whose connections are cut off silently renews its lease over a new one",
  "I-lost": "An instance that finds itself dead in any statement stops at once",
  "I-clock": "Instances judge each other by the clock of the database, never by their own",
  "I-fence": "An instance that was declared dead writes nothing when it wakes up, and ends",
  "I-killed": "The work of a killed instance is taken over by a living one",
  "I-reconnect": "An instance that loses its connections for a moment stays alive",
  "D-rights":
    "A user without the right to create schemas works in those that an administrator has created, else the error says what to do",
  "D-wait": "Startup waits for a server that is down or starting, says so, and gives up in the end",
  "D-lost": "A connection that is lost at any moment fails a query, never the process",
  "D-unreachable": "A database that cannot be reached is named by host and never by password",
  "TD-answer": "A person's answer is recorded as a step, and what the undecided vote cost is counted",
  "TD-budget": "A task whose budget is spent pauses with the reason",
  "TD-close":
    "Tasks that are closed twice at once, as by a signal while their instance is declared dead, close once",
  "TD-crash":
    "After a kill at any moment every step is there once, and at most the open one is voted on again",
  "TD-crasher":
    "A task whose step has ended the process twice is failed with that reason; an instance that stops in order does not count",
  "TD-failed": "A task whose workflow ends with an error is failed with the reason, and never waits forever",
  "TD-fence":
    "An instance that was declared dead writes nothing of a task when it wakes up, says so, and ends",
  "TD-fork": "A fork takes over the steps before it; the task it comes from stays as it is",
  "TD-delete": "A deleted task leaves no row, no step and no workflow; one in flight is not deleted",
  "TD-idle":
    "An instance without work asks the database a few times a second, and a new task begins at once all the same",
  "TD-watch":
    "However many clients follow tasks that run elsewhere, an instance looks for changes with one statement a second",
  "TD-retry": "A failed task that is retried goes on after its last decided step",
  "TD-bulk": "An action on many tasks reports those that cannot take it, and goes on with the others",
  "TD-pause-queued": "A task that is paused while an instance is being chosen for it stays paused",
  "TD-retention": "Tasks are deleted so many days after their end, by the clock of the database",
  "TD-webhook": "The end of a task is delivered until its receiver takes it, however the task ended",
  "TD-schedule":
    "A time of a schedule starts one task, however many instances there are and whichever of them goes away; what is not started is logged with the reason",
  "TD-search": "Tasks are found by words of their name and by status, through an index",
  "TD-priority": "Of the tasks that wait, those with a lower priority number begin first",
  "TD-outage":
    "A task whose provider cannot be reached says when it resumes by itself, does so up to a limit, and then waits for a person",
  "TD-once": "Every decided step is recorded once, in order, before the next begins",
  "TD-pause": "A paused task goes on where it was, and counts every call once",
  "TD-upgrade":
    "Instances continue tasks of an older version whose instances are gone, and leave those of a newer one alone",
  "TD-engine": "The engine's own commands on a workflow leave a task that is what they say",
  "TD-limit":
    "Each instance runs as many tasks as it allows, also of those it takes over, and tasks are spread evenly after a restart",
  "TD-numbers":
    "Numbers of steps are stored: after commits were lost a task goes on from what is recorded, without a gap",
  "TD-stalled": "A task that has recorded nothing for longer than its step may take says so",
  "TD-cancelled": "A cancelled task is never begun again, wherever the engine left its workflow",
  "TD-weather":
    "An error of the database that the engine does not retry leaves no task that is owned but does not run",
  "TD-plan":
    "A plan is voted on, its steps run side by side as their dependencies allow, and an undecided one waits for a person",
} satisfies Requirements;
