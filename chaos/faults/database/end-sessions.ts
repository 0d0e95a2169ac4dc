import type { Fault } from "../../fault.ts";

export const endSessions: Fault = {
  name: "end-sessions",
  about: "an administrator ends every session of the service (57P01)",
  async strike({ database }) {
    await database.primary.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'council%'",
    );
  },
};
