import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../src/database/database.ts";
import { waitForDatabase } from "../src/database/wait.ts";
import { createTestDatabase } from "./database.ts";

/** The tests' PostgreSQL behind TLS, with a certificate for 127.0.0.1 that only `certificateFile` vouches for. */
async function startEncrypted() {
  const target = new URL(await createTestDatabase());
  const { port, hostname } = target;
  const folder = mkdtempSync(join(tmpdir(), "council-tls-"));
  const [keyFile, certificateFile] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const subject = ["-subj", "/CN=database", "-addext", "subjectAltName=IP:127.0.0.1"];
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"];
  execFileSync(
    "openssl",
    ["req", "-x509", ...kind, "-keyout", keyFile, "-out", certificateFile, ...subject],
    {
      stdio: "ignore",
    },
  );
  const credentials = { key: readFileSync(keyFile), cert: readFileSync(certificateFile) };
  const encrypted = createTlsServer(credentials, (secure) => {
    const real = connect(Number(port), hostname);
    secure.on("error", () => real.destroy()).pipe(real);
    real.on("error", () => secure.destroy()).pipe(secure);
  }).on("tlsClientError", () => undefined);
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    // The request for encryption comes first, in clear text; "S" grants it.
    socket.once("readable", () => {
      socket.read();
      socket.write("S");
      encrypted.emit("connection", socket);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });
  target.port = String((server.address() as AddressInfo).port);
  const open = (parameters: string) => {
    const db = openDatabase(`${target.href}?sslmode=verify-full${parameters}`, { applicationName: "tls" });
    onTestFinished(() => db.close());
    return db;
  };
  return { open, certificateFile, target };
}

test("[D-tls] a certificate counts only with its authority and its host name; else the error says at once what to add", async () => {
  const { open, certificateFile, target } = await startEncrypted();
  const wait = {
    waitMs: 60_000,
    log: (message: string) => expect.fail(`it waits for what does not pass: ${message}`),
  };
  await waitForDatabase(open(`&sslrootcert=${encodeURIComponent(certificateFile)}`), wait);
  await expect(waitForDatabase(open(""), wait)).rejects.toMatchObject({
    code: "database_unavailable",
    message: expect.stringMatching(/^postgresql:\/\/127\.0\.0\.1:.*certificate.*sslrootcert=/),
  });
  target.hostname = "localhost";
  const misnamed = open(`&sslrootcert=${encodeURIComponent(certificateFile)}`);
  await expect(waitForDatabase(misnamed, wait)).rejects.toThrow(/does not match.*host name/);
});
