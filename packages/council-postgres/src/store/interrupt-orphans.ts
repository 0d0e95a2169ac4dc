import type { Takeover } from "../instances/takeover.ts";

/** Runs live in the memory of their instance: those of dead ones cannot be continued, and are reported as interrupted. */
export const interruptOrphans: Takeover = async (connection) => {
  await connection.query(
    `UPDATE council.runs SET status = 'interrupted', ended_at = (extract(epoch FROM clock_timestamp()) * 1000)::bigint
     WHERE status = 'running' AND owner NOT IN (SELECT id FROM council.instances)`,
  );
};
