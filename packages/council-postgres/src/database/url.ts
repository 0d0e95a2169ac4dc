import { DatabaseError } from "./database-error.ts";

/** Checks the address of a database. The name of connections cannot be chosen: it identifies the instance. */
export function parseDatabaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["postgres:", "postgresql:"].includes(url.protocol)) {
    // The text stays out of the message: it may hold a password.
    throw new DatabaseError(
      "database_url",
      "DATABASE_URL must be an address such as postgresql://user:password@host:5432/database",
    );
  }
  const { searchParams } = url;
  searchParams.delete("application_name");
  // `pg` checks as much for each of them, but prints a warning that later versions of it will not.
  if (
    /^(prefer|require|verify-ca)$/.test(searchParams.get("sslmode") ?? "") &&
    !searchParams.has("uselibpqcompat")
  )
    searchParams.set("sslmode", "verify-full");
  return url;
}

/** The address without user and password. */
export function describeDatabase(url: URL): string {
  const host = url.host || (url.searchParams.get("host") ?? "localhost");
  return `postgresql://${host}${url.pathname}`;
}
