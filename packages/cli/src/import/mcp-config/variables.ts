import { objectsIn } from "@mci-ts/primitives/is-object";
import { Setting } from "mci-ts/authoring";
import { isHarmless } from "../credentials.ts";
import { ImportVariables } from "../variables.ts";

/** The variables of one configuration: those it refers to, and those its secrets become. */
export class ConfigVariables extends ImportVariables {
  readonly #descriptions = new Map<string, string>();

  /** `inputs`: what VS Code asks its user for. */
  constructor(inputs: unknown) {
    super();
    for (const input of objectsIn(inputs)) {
      if (typeof input.id === "string" && typeof input.description === "string")
        this.#descriptions.set(input.id, input.description);
    }
  }

  /** `${NAME}`, `${env:NAME}` and `${NAME:-default}` of the clients are our placeholders; `${input:id}` asks, ours is set. */
  render(text: string, write: (piece: string) => string | Setting = (piece) => piece): Setting {
    const pieces: (string | Setting)[] = [];
    let end = 0;
    for (const { 0: match, 1: kind, 2: name = "", 3: fallback, index } of text.matchAll(REFERENCE)) {
      pieces.push(write(text.slice(end, index)), this.#placeholder(kind, name, fallback));
      end = index + match.length;
    }
    return Setting.join(...pieces, write(text.slice(end)));
  }

  static withoutReferences(text: string): string {
    return text.replace(REFERENCE, "");
  }

  #placeholder(kind: string | undefined, name: string, fallback: string | undefined): string | Setting {
    if (kind === undefined && Object.hasOwn(PREDEFINED, name)) return PREDEFINED[name]!;
    if (kind === undefined && name === "userHome")
      return this.setting("HOME", "The user's home folder", false);
    const description = this.#descriptions.get(name) ?? "Read by the configuration";
    const isShown = fallback !== undefined && isHarmless(name, fallback);
    return this.setting(name, description, true, isShown ? fallback : undefined);
  }
}

const REFERENCE = /\$\{(env:|input:)?([A-Za-z_][\w-]*|\/)(?::-([^}]*))?\}/g;

/** What editors put in by themselves. A server runs in the directory of the MCI file. */
const PREDEFINED: Readonly<Record<string, string>> = {
  workspaceFolder: ".",
  pathSeparator: "/",
  "/": "/",
};
