import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lintFile, MCIClient, type Problem } from "../../src/index.ts";
import { file, folder } from "./support.ts";

/** A mistake, the hint it gets, and the file after the hint was followed to the letter. */
interface Row {
  readonly title: string;
  readonly wrong: Content;
  /** Its groups are what the hint suggests to write. */
  readonly hint: RegExp;
  readonly right: (...suggested: string[]) => Content;
  /** The call that works then, and the text it gives. */
  readonly call?: readonly [props: object, text: string];
  readonly name?: string;
}
type Content = string | object;

const tool = (execution: object, properties?: object, more: object = {}) =>
  file({ name: "t", ...(properties && { inputSchema: { type: "object", properties, ...more } }), execution });
const text = (source: string, properties?: object, more?: object) =>
  tool({ type: "text", text: source }, properties, more);
const cli = (execution: object, properties?: object, more?: object) =>
  tool({ type: "cli", ...execution }, properties, more);
const http = (execution: object, properties?: object) =>
  tool({ type: "http", url: "https://x.example/", ...execution }, properties);
const word = { word: { type: "string" } };
const given = { required: ["word"] };

const ROWS: readonly Row[] = [
  {
    title: "a shell's line in command",
    wrong: cli({ command: "sh -c 'printf ab | wc -c'" }),
    hint: /write ("command": .*\])$/,
    right: (advice) => cli(JSON.parse(`{${advice}}`)),
    call: [{}, "2"],
  },
  {
    title: "a pipe in command",
    wrong: cli({ command: "printf abc | wc -c" }),
    hint: /write ("command": .*\])$/,
    right: (advice) => cli(JSON.parse(`{${advice}}`)),
    call: [{}, "3"],
  },
  {
    title: "a command line with a placeholder",
    wrong: cli({ command: "printf '%s!' {{ props.word }}" }, word, given),
    hint: /write ("command": .*\])$/,
    right: (advice) => cli(JSON.parse(`{${advice}}`), word, given),
    call: [{ word: "two words" }, "two words!"],
  },
  {
    title: "arguments in one text",
    wrong: cli({ command: "sh", args: "-c 'printf abcd | wc -c'" }),
    hint: /make it a list: (\[.*\])$/,
    right: (list) => cli({ command: "sh", args: JSON.parse(list!) }),
    call: [{}, "4"],
  },
  {
    title: "a flag given as a placeholder",
    wrong: cli({ command: "echo", flags: { "--x": "{{props.word}}" } }, word, given),
    hint: /write (\{.*\})$/,
    right: (flag) => cli({ command: "echo", flags: { "--x": JSON.parse(flag!) } }, word, given),
    call: [{ word: "v" }, "--x=v"],
  },
  {
    title: "an optional property in a longer text",
    wrong: text("Hi {{props.word}}!", word),
    hint: /fallback: (\{\{.*\}\})$/,
    right: (fallback) => text(`Hi ${fallback}!`, word),
    call: [{}, "Hi !"],
  },
  {
    title: "an @ before braces",
    wrong: text("by @{{props.word}}", word, given),
    hint: /write (\{\{'@'\}\}\{\{props.word\}\})/,
    right: (advice) => text(`by ${advice}`, word, given),
    call: [{ word: "jo" }, "by @jo"],
  },
  {
    title: "a boolean compared with 1",
    wrong: text("@if(props.on == 1)yes@else no@endif", { on: { type: "boolean", default: false } }),
    hint: /^write (.*)$/,
    right: (condition) =>
      text(`@if(${condition})yes@else no@endif`, { on: { type: "boolean", default: false } }),
    call: [{ on: true }, "yes"],
  },
  {
    title: "a number printed in a JSON body",
    wrong: http({ method: "POST", body: { json: { n: "{{props.n}}" } } }, { n: { type: "integer" } }),
    hint: /write ("\{!!.*!!\}")$/,
    right: (native) =>
      http({ method: "POST", body: { json: { n: JSON.parse(native!) } } }, { n: { type: "integer" } }),
  },
  {
    title: "a raw body given as an object",
    wrong: http({ method: "POST", body: { raw: { a: 1 } } }),
    hint: /write ("json") in place of "raw"/,
    right: (kind) => http({ method: "POST", body: { [JSON.parse(kind!)]: { a: 1 } } }),
  },
  {
    title: "a raw body of type and content given as an object",
    wrong: http({ method: "POST", body: { type: "raw", content: { a: 1 } } }),
    hint: /write ("type": "json")/,
    right: (type) => http({ method: "POST", body: { ...JSON.parse(`{${type}}`), content: { a: 1 } } }),
  },
  {
    title: "a file of the caller's choice, templated, beside env",
    wrong: {
      ...tool({ type: "file", path: "data/{{props.word}}" }, word, given),
      metadata: { name: "x" },
      mcp_servers: { s: { command: "node", env: { A: "{{env.A | ''}}" } } },
    },
    hint: /write ("enableTemplating": false)/,
    right: (setting) =>
      tool({ type: "file", path: "data/{{props.word}}", ...JSON.parse(`{${setting}}`) }, word, given),
    call: [{ word: "a.txt" }, "{{env.A}}"],
  },
  {
    title: "a bound of draft 4",
    wrong: text("x", { n: { type: "integer", minimum: 1, exclusiveMinimum: true, default: 2 } }),
    hint: /write ("exclusiveMinimum": 1) instead of it and 'minimum'/,
    right: (bound) => text("x", { n: { type: "integer", ...JSON.parse(`{${bound}}`), default: 2 } }),
    call: [{ n: 3 }, "x"],
  },
  {
    title: "nullable",
    wrong: text("x", { n: { type: "string", nullable: true } }),
    hint: /write ("type": \[.*\])/,
    right: (type) => text("x", { n: JSON.parse(`{${type}}`) }),
    call: [{ n: null }, "x"],
  },
  {
    title: "required on a property",
    wrong: text("{{props.word}}", { word: { type: "string", required: true } }),
    hint: /remove it, and list the property's name in 'required' beside 'properties'/,
    right: () => text("{{props.word}}", word, given),
    call: [{ word: "v" }, "v"],
  },
  {
    title: "a pattern with a look-behind",
    wrong: text("x", { word: { type: "string", pattern: "(?<=a)b" } }),
    hint: /write it without them/,
    right: () => text("x", { word: { type: "string", pattern: "ab" } }),
    call: [{ word: "ab" }, "x"],
  },
  {
    title: "a long integer among choices",
    wrong: JSON.stringify(text("{{props.id}}", { id: { enum: [1] } }, { required: ["id"] })).replace(
      '"enum":[1]',
      '"enum":[12345678901234567890]',
    ),
    hint: /make the property a string, and put the number in quotes/,
    right: () =>
      text("{{props.id}}", { id: { type: "string", enum: ["12345678901234567890"] } }, { required: ["id"] }),
    call: [{ id: "12345678901234567890" }, "12345678901234567890"],
  },
  {
    title: "a misspelled key",
    wrong: tool({ type: "text", text: "x", txet: 1 }),
    hint: /did you mean '(.*)'/,
    right: (key) => tool({ type: "text", [key!]: "x" }),
    call: [{}, "x"],
  },
  {
    title: "a misspelled property",
    wrong: text("{{props.wrod}}", word, given),
    hint: /did you mean '(.*)'/,
    right: (name) => text(`{{props.${name}}}`, word, given),
    call: [{ word: "v" }, "v"],
  },
  {
    title: "a name without its root",
    wrong: text("{{word}}", word, given),
    hint: /did you mean '(.*)'/,
    right: (path) => text(`{{${path}}}`, word, given),
    call: [{ word: "v" }, "v"],
  },
  {
    title: "an unquoted fallback",
    wrong: text("{{env.DIR|./config}}"),
    hint: /('\.\/config')/,
    right: (quoted) => text(`{{env.DIR|${quoted}}}`),
    call: [{}, "./config"],
  },
  {
    title: "Jinja without its engine",
    wrong: text("{% if true %}x{% endif %}"),
    hint: /set templateEngine to ("jinja2")/,
    right: (engine) => ({ ...text("{% if true %}x{% endif %}"), templateEngine: JSON.parse(engine!) }),
    call: [{}, "x"],
  },
  {
    title: "one brace",
    wrong: text("{props.word}", word, given),
    hint: /two braces: \{\{props\.name\}\}/,
    right: () => text("{{props.word}}", word, given),
    call: [{ word: "v" }, "v"],
  },
  {
    title: "a value in a shell's code",
    wrong: cli({ command: "sh", args: ["-c", "echo {{props.word}}"] }, word, given),
    hint: /separate argument after the code/,
    right: () => cli({ command: "sh", args: ["-c", 'echo "$1"', "sh", "{{props.word}}"] }, word, given),
    call: [{ word: "$(id)" }, "$(id)"],
  },
  {
    title: "a name that models refuse",
    wrong: file({ name: "two words", execution: { type: "text", text: "x" } }),
    hint: /use letters, digits, _ and -/,
    right: () => file({ name: "two_words", execution: { type: "text", text: "x" } }),
    call: [{}, "x"],
    name: "two_words",
  },
  {
    title: "a tool list that is a map",
    wrong: { schemaVersion: "1.0", tools: { t: { execution: { type: "text", text: "x" } } } },
    hint: /'tools' is a list, not a map by name/,
    right: () => text("x"),
    call: [{}, "x"],
  },
  {
    title: "an execution that is only its type",
    wrong: file({ name: "t", execution: "text" }),
    hint: /(\{ "type": "text"), …/,
    right: (beginning) => file({ name: "t", execution: JSON.parse(`${beginning}, "text": "x" }`) }),
    call: [{}, "x"],
  },
  {
    title: "retries as a number",
    wrong: http({ retries: 3 }),
    hint: /write (\{.*\})$/,
    right: (retries) => http({ retries: JSON.parse(retries!) }),
  },
  {
    title: "a URL without its scheme",
    wrong: http({ url: "x.example/a" }),
    hint: /begin it with (https:\/\/) and a host/,
    right: (scheme) => http({ url: `${scheme}x.example/a` }),
  },
  {
    title: "a missing version",
    wrong: { tools: [] },
    hint: /add ("schemaVersion": "1\.0")/,
    right: (version) => ({ ...text("x"), ...JSON.parse(`{${version}}`) }),
    call: [{}, "x"],
  },
  {
    title: "a comma too many",
    wrong: '{"schemaVersion": "1.0", "tools": [],}',
    hint: /remove it/,
    right: () => text("x"),
    call: [{}, "x"],
  },
  {
    title: "an empty file",
    wrong: "",
    hint: /begin with (\{.*\})/,
    right: (beginning) => beginning!,
  },
];

async function problemsOf(content: Content): Promise<{ path: string; problems: readonly Problem[] }> {
  const root = folder({ "mci.json": content, "data/a.txt": "{{env.A}}" });
  const path = join(root, "mci.json");
  return { path, problems: (await lintFile(path, { env: {} })).problems };
}

test.each(ROWS)(
  "[I-hints] $title: the hint leads to what works",
  async ({ wrong, hint, right, call, name = "t" }) => {
    const { path, problems } = await problemsOf(wrong);
    const hinted = problems.find((problem) => hint.test(problem.hint ?? ""));
    expect(hinted, JSON.stringify(problems)).toBeDefined();
    const [, ...suggested] = hint.exec(hinted!.hint!)!;
    const better = right(...suggested);
    writeFileSync(path, typeof better === "string" ? better : JSON.stringify(better));
    expect((await lintFile(path, { env: {} })).problems).toEqual([]);
    if (call === undefined) return;
    await using client = await MCIClient.load(path, { env: {} });
    expect((await client.execute(name, call[0])).text?.trim()).toBe(call[1]);
  },
);
