import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import { join } from "node:path";
import { listen, type TestServer } from "../../../../test/servers.ts";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";

/** An https server whose certificate is trusted only by clients that read `certificateFile`. */
export async function selfSigned(): Promise<TestServer & { certificateFile: string }> {
  const directory = temporaryFolder();
  const [keyFile, certificateFile] = [join(directory, "key.pem"), join(directory, "cert.pem")];
  const subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"];
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"];
  const files = ["-keyout", keyFile, "-out", certificateFile];
  execFileSync("openssl", ["req", "-x509", ...kind, ...files, ...subject], { stdio: "ignore" });

  const credentials = { key: readFileSync(keyFile), cert: readFileSync(certificateFile) };
  const server = createServer(credentials, (_, response) => response.end("secure"));
  const listening = await listen(server);
  return { ...listening, url: `https://127.0.0.1:${listening.port}`, certificateFile };
}
