/** Long tasks and the shared history of the council on PostgreSQL; `@mci-ts/council-server` loads it on demand. */
export {};
