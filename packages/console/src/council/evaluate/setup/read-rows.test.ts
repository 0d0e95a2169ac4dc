import { expect, test } from "vitest";
import { withinCpuMs } from "../../../../../../test/cpu-time.ts";
import { MAX_ROWS, readRows } from "./read-rows.ts";

const plain = (source: string, format: Parameters<typeof readRows>[1] = "auto") => {
  const { rows, ...rest } = readRows(source, format);
  return { ...rest, rows: rows.map(({ variables, ...row }) => ({ ...row, variables: [...variables] })) };
};

test("one question per line, with an answer behind the last =>", () => {
  expect(plain("What is 2 + 2? => 4\n\nIs a => b a rule? => yes\nWhy?")).toEqual({
    format: "lines",
    problems: [],
    rows: [
      { id: "line 1", prompt: "What is 2 + 2?", answer: "4", variables: [] },
      { id: "line 3", prompt: "Is a => b a rule?", answer: "yes", variables: [] },
      { id: "line 4", prompt: "Why?", variables: [] },
    ],
  });
});

test("JSON lines as mci-council eval reads them, with every mistake at its line", () => {
  const lines = [
    '{"id": "a", "prompt": "x", "answer": 8, "accept": ["eight"]}',
    '{"prompt": "x", "anwser": "z"}',
    "{",
    '{"id": "a", "prompt": "y"}',
    '{"vars": {"city": "Rome", "n": 3}}',
    '{"prompt": 3}',
    "[1]",
  ];
  const { rows, problems, format } = plain(lines.join("\n"));
  expect(format).toBe("jsonl");
  expect(rows).toEqual([
    { id: "a", prompt: "x", answer: 8, accept: ["eight"], variables: [] },
    {
      id: "line 5",
      variables: [
        ["city", "Rome"],
        ["n", "3"],
      ],
    },
  ]);
  expect(problems).toEqual([
    expect.stringContaining("line 2: anwser is not a field"),
    expect.stringContaining("line 3: this is not JSON"),
    'line 4: the id "a" is that of line 1, too',
    "line 6: prompt must be a text",
    expect.stringContaining("line 7: must be an object"),
  ]);
});

test("a table, quoted as spreadsheets do: columns of a question, variables, and checks as promptfoo names them", () => {
  const csv =
    'id,question,city,__expected\r\none,"What is ""the"" capital, of\nwhat?",Rome,equals: yes\r\ntwo,Q,Oslo,llm-rubric: Names a city\r\nthree,Q,Bonn,contains: x\r\nfour,Q,Kiel,At 12:30\r\n';
  expect(plain(csv)).toEqual({
    format: "csv",
    problems: [
      "line 5: the check contains is not known here: an answer (equals) and a rubric (llm-rubric) are",
    ],
    rows: [
      {
        id: "one",
        prompt: 'What is "the" capital, of\nwhat?',
        answer: "yes",
        variables: [
          ["question", 'What is "the" capital, of\nwhat?'],
          ["city", "Rome"],
        ],
      },
      {
        id: "two",
        prompt: "Q",
        rubric: "Names a city",
        variables: [
          ["question", "Q"],
          ["city", "Oslo"],
        ],
      },
      {
        id: "four",
        prompt: "Q",
        answer: "At 12:30",
        variables: [
          ["question", "Q"],
          ["city", "Kiel"],
        ],
      },
    ],
  });
  expect(plain("prompt\tanswer\nx\ty\nz\t").rows).toMatchObject([
    { id: "line 2", prompt: "x", answer: "y" },
    { id: "line 3", prompt: "z" },
  ]);
  expect(plain('prompt,answer\n"x').problems).toEqual(["line 2: a quoted field has no end"]);
  expect(plain("a,b\n1,2,3", "csv").problems).toEqual(["line 2: has 3 fields, the first line names 2"]);
});

test("names of Object.prototype are names like any other", () => {
  const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
  const line = JSON.stringify({ prompt: "x", vars: Object.fromEntries(names.map((name) => [name, name])) });
  const withProto = line.replace('"vars":{', '"vars":{"__proto__":"p",');
  const [row] = readRows(withProto, "auto").rows;
  expect([...row!.variables.keys()].toSorted()).toEqual([...names].toSorted());
  expect(plain('{"prompt": "x", "__proto__": {"answer": "y"}}').problems).toEqual([
    expect.stringContaining("__proto__ is not a field"),
  ]);
  const csv = readRows(`prompt,${names.join(",")}\nx,1,2,3,4`, "csv");
  expect([...csv.rows[0]!.variables].slice(1)).toEqual(names.map((name, index) => [name, String(index + 1)]));
});

test("a file of five megabytes does not hold up the page, and what is too much is said", () => {
  const line = `${JSON.stringify({ prompt: "x".repeat(500), answer: "y" })}\n`;
  const { rows, problems } = withinCpuMs(1000, () => readRows(line.repeat(10_000), "auto"));
  expect(rows.length).toBe(MAX_ROWS);
  expect(problems).toEqual([expect.stringContaining("There are 8000 rows more than 2000")]);
  for (const hostile of [
    '"'.repeat(5_000_000),
    "{".repeat(5_000_000),
    ",".repeat(5_000_000),
    "\t \n".repeat(1_600_000),
  ])
    for (const format of ["auto", "csv", "lines"] as const)
      withinCpuMs(4000, () => readRows(hostile, format));
});
