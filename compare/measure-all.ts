import { readFileSync } from "node:fs";
import { cpus, platform, release, totalmem } from "node:os";
import { join } from "node:path";
import { explain } from "./behaviour/explain.ts";
import { replayOnMciPy } from "./behaviour/replay.ts";
import type { Results } from "./page/page.ts";
import { command } from "./prepare/command.ts";
import { installOurs } from "./prepare/ours.ts";
import {
  type Installed,
  installNpm,
  installPython,
  isInstalled,
  pins,
  type Skipped,
} from "./prepare/peers.ts";
import { findWhatArrives } from "./serving/arrives.ts";
import type { Server } from "./serving/connect.ts";
import { writeServed } from "./serving/file.ts";
import { measureServing } from "./serving/serve.ts";
import { bare, type Contestant, onNode, onPython } from "./speed/contestants.ts";
import { npmCost, pythonCost } from "./speed/cost.ts";
import { measureStarts } from "./speed/start.ts";
import { countTokens, measureMemory, measureWork, type Pace } from "./speed/work.ts";
import { createWorkspace, MCP_SERVER } from "./speed/workspace.ts";

/** Prepares the peers and takes every measurement; tells `progress` what it begins. */
export async function measureAll(pace: Pace, progress: (what: string) => void): Promise<Results> {
  const begun = Date.now();
  progress("preparing the peers");
  const ours = await installOurs();
  const peers = {
    mciPy: await installPython("mci-py"),
    mcix: await installPython("mcix"),
    utcp: await installNpm("utcp"),
    utcpCli: await installNpm("utcp-cli"),
  };
  const mciPy = installed(peers.mciPy);
  const mcix = installed(peers.mcix);
  const utcp = installed(peers.utcp);
  const contestants: Contestant[] = [
    bare,
    onNode(ours.library, "peers/mci_ts.ts"),
    ...(mciPy === undefined ? [] : [onPython(mciPy)]),
    ...(utcp === undefined ? [] : [onNode(utcp, "peers/utcp.ts")]),
  ];

  const workspace = await createWorkspace();
  try {
    progress("speed");
    const work = await measureWork(contestants, workspace, pace);
    progress("tokens and memory");
    const tokens = await countTokens(contestants.slice(1), workspace);
    const memory = await measureMemory(contestants, workspace, pace);
    progress("starts");
    const folders = {
      "mci-ts": ours.library.folder,
      "mci-ts-cli": ours.cli.folder,
      "mci-py": mciPy?.folder,
      mcix: mcix?.folder,
      utcp: utcp?.folder,
    };
    const starts = await measureStarts(folders, workspace.dir, pace);
    progress("serving");
    const file = writeServed(workspace.dir, workspace.origin);
    const mci: Server = {
      name: "mci-ts",
      command: process.execPath,
      args: [join(ours.cli.folder, "node_modules/.bin/mci"), "run", "--file", file],
    };
    const servers: Server[] = [
      { name: "bare", command: process.execPath, args: [MCP_SERVER] },
      mci,
      ...(mcix === undefined
        ? []
        : [{ name: "mci-py", command: join(mcix.folder, "bin/mcix"), args: ["run", "--file", file] }]),
    ];
    const serving = await measureServing(servers, pace);
    const arrives = [];
    for (const server of servers.slice(1))
      arrives.push([server === mci ? "`mci run`" : "`mcix run`", await findWhatArrives(server)] as const);
    progress("behaviour");
    const behaviour = mciPy === undefined ? undefined : explain(await replayOnMciPy(mciPy.folder));
    const costs = [npmCost(ours.library), npmCost(ours.cli)];
    for (const peer of [mciPy, mcix]) if (peer !== undefined) costs.push(await pythonCost(peer));
    if (utcp !== undefined) costs.push(npmCost(utcp));
    return {
      date: new Date().toISOString().slice(0, 10),
      machine: machine(),
      minutes: Math.round((Date.now() - begun) / 60_000),
      versions: await versions(ours.library, mciPy),
      rounds: pace.rounds,
      remarks: remarks(Object.values(peers)),
      behaviour,
      work,
      starts,
      memory,
      tokens,
      costs,
      serving,
      arrives,
    };
  } finally {
    await workspace.remove();
  }
}

function installed(peer: Installed | Skipped): Installed | undefined {
  return isInstalled(peer) ? peer : undefined;
}

function machine(): string {
  const cpu = cpus()[0]?.model.trim() ?? "unknown CPU";
  return `${cpu}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, ${platform()} ${release()}`;
}

async function versions(
  library: Installed,
  mciPy: Installed | undefined,
): Promise<(readonly [string, string])[]> {
  const version = (name: string) =>
    JSON.parse(readFileSync(join(library.folder, "node_modules", name, "package.json"), "utf8")).version;
  const python =
    mciPy === undefined
      ? []
      : [
          [
            "Python",
            (await command(join(mciPy.folder, "bin/python"), ["--version"], mciPy.folder))
              .trim()
              .split(" ")[1]!,
          ] as const,
        ];
  return [
    ["Node.js", process.versions.node],
    ...python,
    ["mci-ts", version("mci-ts")],
    ["mci-py, mcix", [...new Set(Object.values(pins.python).flat())].join(", ")],
    ["UTCP", pins.npm.utcp?.join(", ") ?? ""],
    [
      "bare",
      `undici ${version("undici")}, @modelcontextprotocol/client ${version("@modelcontextprotocol/client")}`,
    ],
  ];
}

function remarks(peers: readonly (Installed | Skipped)[]): string[] {
  return peers.flatMap((peer) => {
    const note = pins.notes[peer.name];
    const skipped = isInstalled(peer)
      ? ""
      : `**${peer.name} is skipped**, it could not be installed: ${peer.reason}`;
    return skipped === "" && note === undefined ? [] : [[skipped, note].filter(Boolean).join(" ")];
  });
}
