#!/usr/bin/env node
// Plain JavaScript that is not built: npm links it when the package is installed, which may be before the build, and
// an old Node.js must be able to read it.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `mci-council-sim needs Node.js 22.19 or newer; this is ${process.version}. See https://nodejs.org\n`,
  );
  process.exit(1);
}

// Compiled code is cached between runs: otherwise most of the startup is compiling. In a folder of the user's own: in a
// shared folder, another user could plant code.
const { XDG_CACHE_HOME, LOCALAPPDATA, HOME } = process.env;
const own = [XDG_CACHE_HOME, LOCALAPPDATA, HOME].find(
  (folder) => folder && require("node:fs").existsSync(folder),
);
if (own) require("node:module").enableCompileCache?.(own === HOME ? `${own}/.cache/mci-ts` : `${own}/mci-ts`);

import("../dist/main.js");
