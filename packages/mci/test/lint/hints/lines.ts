/** A YAML file with one tool; these are the lines of its item. */
export const yaml = (item: string) =>
  `schemaVersion: "1.0"
tools:
${item}
    inputSchema: { type: object, properties: { word: { type: string } }, required: [word] }
`;
const NAME = "  - name: t\n";
const TEXT = '    execution: { type: text, text: "{{props.word}}" }';
const RIGHT = NAME + TEXT;

/** Title, wrong lines, the hint, right lines. */
export const YAML: readonly (readonly [string, string, string, string])[] = [
  [
    "a placeholder without quotes",
    `${NAME}    execution:\n      type: text\n      text: {{props.word}}`,
    "put a value that begins with {{ or {!! in quotes",
    RIGHT,
  ],
  ["a tab", `${NAME}    execution:\n\ttype: text`, "indent with spaces", RIGHT],
  [
    "a value that begins with @",
    `${NAME}    description: @home\n${TEXT}`,
    "put it in quotes, or under a | block",
    `${NAME}    description: "@home"\n${TEXT}`,
  ],
  [
    "words after a quoted value",
    `${NAME}    description: "a" b\n${TEXT}`,
    "put the whole value in quotes",
    `${NAME}    description: '"a" b'\n${TEXT}`,
  ],
  [
    "a colon in a value",
    `${NAME}    description: one: two\n${TEXT}`,
    "put the value in quotes",
    `${NAME}    description: "one: two"\n${TEXT}`,
  ],
  [
    "a quote that is never closed",
    `${NAME.trimEnd().replace("t", '"t')}\n`,
    'put a " at the end of the value',
    RIGHT,
  ],
  [
    "a list that is never closed",
    `${NAME}    tags: [a\n${TEXT}`,
    "put the ] where it ends, and keep its lines further right than its key",
    `${NAME}    tags: [a]\n${TEXT}`,
  ],
  ["a key too far right", `${NAME}     tags: [a]\n${TEXT}`, "begin it in the same column as 'name'", RIGHT],
  [
    "a key too far left",
    `${NAME}   tags: [a]\n${TEXT}`,
    "begin all keys of an item in one column, right of its dash",
    RIGHT,
  ],
  [
    "keys in two columns",
    `${NAME}    execution:\n        type: text\n       text: x`,
    "begin the keys of one map in the same column",
    RIGHT,
  ],
  [
    "items in two columns",
    `${NAME}${TEXT}\n   - name: u`,
    "begin every '-' of a list in the same column",
    RIGHT,
  ],
  [
    "a text under | that is not indented",
    `${NAME}    description: |\n    hi there\n${TEXT}`,
    "indent it further than the key above",
    `${NAME}    description: |\n      hi there\n${TEXT}`,
  ],
  [
    "a text under | that goes on further left",
    `${NAME}    description: |\n        hi\n      there\n${TEXT}`,
    "indent its lines alike",
    `${NAME}    description: |\n      hi\n      there\n${TEXT}`,
  ],
  [
    "a line without its colon",
    `${NAME}    description\n${TEXT}`,
    "put a colon after the key, or indent the line further if it goes on from above",
    `${NAME}    description: d\n${TEXT}`,
  ],
  ["a colon without its space", `  - name:t\n${TEXT}`, "write 'name: …'", RIGHT],
  ["a dash without its space", `  -name: t\n   tags: [a]`, "write '- …' for an item of a list", RIGHT],
];

export const WORDS = {
  word: { type: "string", default: "v" },
  list: { type: "array", items: { type: "string" }, default: ["v"] },
  n: { type: "integer", default: 2 },
};

/** Wrong template, the hint, right template; it gives "v". */
export const TEMPLATES: readonly (readonly [string, string, string])[] = [
  ["{{props.word = 'v'}}", "compare with ==", "@if(props.word == 'v')v@endif"],
  [
    "{{props.word | {{props.word}}}}",
    "placeholders cannot be nested: write {{ a | b | 'c' }}",
    "{{props.word | 'c'}}",
  ],
  ["{{props.n ? 'v' : 'w'}}", "write the alternatives as @if … @else … @endif", "@if(props.n)v@else w@endif"],
  [
    "{{@if(props.n)}}v{{@endif}}",
    "directives stand outside of the braces: @if(…) … @endif",
    "@if(props.n)v@endif",
  ],
  ["{{props.x | ‘v’}}", "use straight quotes", "{{props.word | 'v'}}"],
  [
    "{{'v}}",
    "a quote ends the text only where an operator, a bracket or the end of the expression follows",
    "{{'v'}}",
  ],
  ["@if(1 < props.n < 3)v@endif", "join them by and", "@if(1 < props.n and props.n < 3)v@endif"],
  ["@verbatim v", "to print the word itself, double its @", "@verbatim\nv@endverbatim"],
  [
    "@for(i in 3)v@endfor",
    "write @for(i in range(0, 3)), or @foreach(item in props.items) for a list; @@for prints the word",
    "@for(i in range(0, 1))v@endfor",
  ],
  [
    "@foreach(props.list)v@endforeach",
    "write @foreach(item in props.items) or @foreach(key, item in props.items); @@foreach prints the word",
    "@foreach(item in props.list){{item}}@endforeach",
  ],
  [
    "v@endif",
    "write @if(…), with its parentheses, before it; @@endif prints the word",
    "@if(props.n)v@endif",
  ],
];
