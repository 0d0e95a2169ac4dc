import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { readConfig } from "../../packages/council-server/src/config/config.ts";
import { SETTINGS } from "../../packages/council-server/src/config/settings.ts";

const folder = new URL("../../deploy/", import.meta.url);

/** Variables of other programs in these files. */
const FOREIGN = /^POSTGRES_/;

describe.each(readdirSync(folder).filter((file) => file.endsWith(".yaml")))("deploy/%s", (file) => {
  const documents = parseAllDocuments(readFileSync(new URL(file, folder), "utf8"));

  test("is YAML without errors or warnings", () => {
    expect(documents.length).toBeGreaterThan(0);
    expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([]);
  });

  test("names only settings that exist, the database and the token among them", () => {
    const named = documents
      .flatMap((document) => variables(document.toJS()))
      .filter((name) => !FOREIGN.test(name));
    expect(named).toEqual(expect.arrayContaining(["DATABASE_URL", "MCI_TOKEN", "HOST", "PORT"]));
    expect(named.filter((name) => !(name in SETTINGS))).toEqual([]);
  });
});

test("containers of compose run exact versions, not as root, and write only to their volumes", () => {
  const { services } = parse(readFileSync(new URL("compose.yaml", folder), "utf8"));
  const containers = Object.entries<Record<string, unknown>>(services);
  expect(containers.length).toBeGreaterThan(2);
  for (const [name, container] of containers) {
    expect([name, container]).toEqual([
      name,
      expect.objectContaining({
        image: expect.stringMatching(/^[\w./-]+:\d+\.\d+(\.\d+)?$/),
        user: expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/),
        read_only: true,
        cap_drop: ["ALL"],
        security_opt: ["no-new-privileges:true"],
      }),
    ]);
  }
  const dockerfile = readFileSync(new URL("Dockerfile", folder), "utf8");
  const images = [...dockerfile.matchAll(/^FROM (.+)$/gm)].map(([, image]) => image);
  expect(images.length).toBeGreaterThan(0);
  for (const image of images) expect(image).toMatch(/^node:\d+\.\d+\.\d+-slim( AS \w+)?$/);
  expect(dockerfile).toMatch(/^USER node$/m);
});

test("the service does not start with the token of the example of Kubernetes, which everybody knows", () => {
  const [secret] = parseAllDocuments(readFileSync(new URL("kubernetes.yaml", folder), "utf8"))
    .map((document) => document.toJS())
    .filter(({ kind }) => kind === "Secret");
  const { MCI_TOKEN } = secret.stringData;
  expect(() => readConfig({ MCI_TOKEN })).toThrow(/MCI_TOKEN.*at least 16 characters/s);
  expect(() => readConfig({ MCI_TOKEN: `${MCI_TOKEN}-${MCI_TOKEN}` })).not.toThrow(/MCI_TOKEN/);
});

test("pods of Kubernetes have a user, a read-only file system and no rights", () => {
  const [pod] = parseAllDocuments(readFileSync(new URL("kubernetes.yaml", folder), "utf8"))
    .map((document) => document.toJS())
    .filter(({ kind }) => kind === "Deployment")
    .map(({ spec }) => spec.template.spec);
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: expect.any(Number) });
  expect(pod.automountServiceAccountToken).toBe(false);
  for (const { image, securityContext } of pod.containers) {
    expect(image).toMatch(/:\d+\.\d+\.\d+$/);
    expect(securityContext).toEqual({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
    });
  }
});

test("actions of CI are named by commit, with their version beside it", () => {
  const workflows = new URL("../../.github/workflows/", import.meta.url);
  const uses = readdirSync(workflows).flatMap((file) =>
    [...readFileSync(new URL(file, workflows), "utf8").matchAll(/uses: *(.+)/g)].map(([, action]) => action),
  );
  expect(uses.length).toBeGreaterThan(1);
  for (const action of uses) expect(action).toMatch(/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test("workflows of CI may only read, and leave no token in the clone for the scripts of packages", () => {
  const workflows = new URL("../../.github/workflows/", import.meta.url);
  for (const file of readdirSync(workflows)) {
    const { permissions, jobs } = parse(readFileSync(new URL(file, workflows), "utf8"));
    expect(permissions).toEqual({ contents: "read" });
    const steps = Object.values<{ steps: { uses?: string; with?: object }[] }>(jobs).flatMap(
      ({ steps }) => steps,
    );
    const checkouts = steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"));
    expect(checkouts.length).toBeGreaterThan(0);
    for (const step of checkouts) expect(step.with).toMatchObject({ "persist-credentials": false });
  }
});

test("no file of variables gets into the image", () => {
  const ignored = readFileSync(new URL("Dockerfile.dockerignore", folder), "utf8").split("\n");
  expect(ignored).toEqual(expect.arrayContaining([".env", "**/.env", ".env.*", "**/.env.*"]));
});

/** Names under `environment`, `stringData` and in `env`, wherever they stand. */
function variables(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(variables);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === "environment" || key === "stringData") return Object.keys(inner as object);
    if (key === "env") return (inner as { name: string }[]).map(({ name }) => name);
    return variables(inner);
  });
}
