import { createInterface, type Interface } from "node:readline";
import type { FormRequest, InputContext, InputRequest, InputResponse, InputValue, OnInput } from "mci-ts";
import type { Context } from "../command.ts";
import { escapeControls, oneLine } from "../print/escape-controls.ts";

/** Asks the person at the terminal what a server wants to know. Undefined where there is no person: a pipe, a script. */
export function terminalInput(context: Context, beforeAsking: () => void): OnInput | undefined {
  const isTerminal = context.stderr.isTTY && (context.stdin as { isTTY?: boolean }).isTTY === true;
  if (!isTerminal) return undefined;
  return async (request, about) => {
    beforeAsking();
    const lines = createInterface({ input: context.stdin });
    try {
      return await answer(request, about, new Dialog(lines, context, about.signal));
    } finally {
      lines.close();
    }
  };
}

async function answer(
  request: InputRequest,
  { server }: InputContext,
  dialog: Dialog,
): Promise<InputResponse> {
  const from = server === undefined ? "The file" : `MCP server '${oneLine(server)}'`;
  dialog.say(`${from} asks: ${escapeControls(request.message)}`);
  if (request.mode === "form") {
    if (server !== undefined) dialog.say("Give it only what you would tell its operator.");
    return fillIn(request, from, dialog);
  }
  dialog.say(`Open this page in a browser: ${oneLine(request.url)}`);
  const reply = await dialog.ask("Press Enter when it is done, or type n to decline: ");
  if (reply === undefined) return { action: "cancel" };
  return /^n/i.test(reply) ? { action: "decline" } : { action: "accept" };
}

/** Questions about one value before the form is given up. */
const MAX_ATTEMPTS = 3;

async function fillIn(request: FormRequest, from: string, dialog: Dialog): Promise<InputResponse> {
  const content: Record<string, InputValue> = {};
  const required = new Set(listOf(request.requestedSchema["required"]));
  for (const [name, field] of Object.entries(
    (request.requestedSchema["properties"] ?? {}) as Record<string, Field>,
  )) {
    const value = await askFor(name, field, required.has(name), dialog);
    if (value === GIVEN_UP) return { action: "cancel" };
    if (value !== undefined) content[name] = value;
  }
  const reply = await dialog.ask(`Send this to ${from}? [Y/n] `);
  if (reply === undefined) return { action: "cancel" };
  return /^n/i.test(reply) ? { action: "decline" } : { action: "accept", content };
}

const GIVEN_UP = Symbol("given up");

async function askFor(
  name: string,
  field: Field,
  isRequired: boolean,
  dialog: Dialog,
): Promise<InputValue | undefined | typeof GIVEN_UP> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const reply = await dialog.ask(questionOf(name, field, isRequired));
    if (reply === undefined) return GIVEN_UP;
    if (reply.trim() === "" && field.default !== undefined) return field.default;
    if (reply.trim() === "" && !isRequired) return undefined;
    if (reply.trim() === "") {
      dialog.say("A value is needed.");
      continue;
    }
    const { value, problem } = readValue(reply.trim(), field);
    if (value !== undefined) return value;
    dialog.say(problem ?? "");
  }
  return GIVEN_UP;
}

/** A property of a form, as the protocol allows it. */
export interface Field {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly default?: InputValue;
  readonly enum?: readonly string[];
  readonly enumNames?: readonly string[];
  readonly oneOf?: readonly { readonly const: string; readonly title?: string }[];
  readonly items?: {
    readonly enum?: readonly string[];
    readonly anyOf?: readonly { readonly const: string; readonly title?: string }[];
  };
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}

function questionOf(name: string, field: Field, isRequired: boolean): string {
  const { title = name, description, type = "string", default: value } = field;
  const choices = choicesOf(field).map(
    (choice, index) =>
      `\n  ${index + 1}. ${oneLine(choice.title === undefined ? choice.value : `${choice.title} (${choice.value})`)}`,
  );
  const hints = [
    type === "array"
      ? "several, separated by commas"
      : type === "boolean"
        ? "yes or no"
        : type === "string"
          ? ""
          : type,
    isRequired ? "" : "optional",
    value === undefined ? "" : `default ${oneLine(String(value))}`,
  ].filter((hint) => hint !== "");
  const about = description === undefined ? "" : ` - ${oneLine(description)}`;
  return `${oneLine(title)}${about}${hints.length === 0 ? "" : ` [${hints.join(", ")}]`}${choices.join("")}: `;
}

function choicesOf({
  enum: values,
  enumNames = [],
  oneOf,
  items,
}: Field): { value: string; title?: string | undefined }[] {
  const titled = (oneOf ?? items?.anyOf)?.map(({ const: value, title }) => ({ value, title }));
  return titled ?? (values ?? items?.enum ?? []).map((value, index) => ({ value, title: enumNames[index] }));
}

/** What was typed, as the field wants it. */
export function readValue(text: string, field: Field): { value?: InputValue; problem?: string } {
  const choices = choicesOf(field);
  const chosen = (typed: string) => {
    const exact = choices.find(({ value, title }) => value === typed || title === typed);
    return exact?.value ?? choices[Number(typed) - 1]?.value;
  };
  if (field.type === "array") {
    const values = text.split(",").map((part) => chosen(part.trim()));
    return values.includes(undefined) ? { problem: "Choose from the list." } : { value: values as string[] };
  }
  if (choices.length > 0) {
    const value = chosen(text);
    return value === undefined ? { problem: "Choose one from the list." } : { value };
  }
  if (field.type === "boolean") {
    if (/^(y|yes|true|1)$/i.test(text)) return { value: true };
    return /^(n|no|false|0)$/i.test(text) ? { value: false } : { problem: "Type yes or no." };
  }
  if (field.type === "number" || field.type === "integer") return readNumber(text, field);
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = field;
  if (text.length >= minLength && text.length <= maxLength) return { value: text };
  return { problem: `It must have ${minLength} to ${maxLength} characters.` };
}

function readNumber(
  text: string,
  { type, minimum, maximum }: Field,
): { value?: InputValue; problem?: string } {
  const value = Number(text);
  if (!Number.isFinite(value) || (type === "integer" && !Number.isInteger(value)))
    return { problem: type === "integer" ? "Type a whole number." : "Type a number." };
  if (minimum !== undefined && value < minimum) return { problem: `It must be at least ${minimum}.` };
  if (maximum !== undefined && value > maximum) return { problem: `It must be at most ${maximum}.` };
  return { value };
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** Questions on standard error, answers line by line. */
class Dialog {
  readonly #lines: AsyncIterator<string>;
  readonly #context: Context;
  readonly #ended: Promise<undefined>;

  constructor(lines: Interface, context: Context, signal: AbortSignal) {
    this.#lines = lines[Symbol.asyncIterator]();
    this.#context = context;
    this.#ended = new Promise((resolve) => {
      const end = () => resolve(undefined);
      for (const each of [signal, context.signal]) each.addEventListener("abort", end, { once: true });
    });
  }

  say(text: string): void {
    this.#context.stderr.write(`${text}\n`);
  }

  /** Undefined at the end of input, or when the call is over. */
  async ask(question: string): Promise<string | undefined> {
    this.#context.stderr.write(question);
    const next = this.#lines.next().then(({ value, done }) => (done ? undefined : (value as string)));
    return Promise.race([next, this.#ended]);
  }
}
