import { expect, test } from "vitest";
import { templateWarnings } from "./template-warnings.ts";

const inputSchema = {
  properties: {
    must: { type: "string" },
    may: { type: "string" },
    preset: { type: "string", default: "x" },
    old: { type: "string", required: true },
    flag: { type: "boolean", default: false },
    count: { type: "integer", default: 1 },
  },
  required: ["must"],
};
const warned = (source: string, mode: "text" | "template" = "template") =>
  templateWarnings(source, mode, inputSchema).map(({ offset, hint }) => `${offset}: ${hint}`);

test.each([
  ["hello {{props.may}}", ["8: write a fallback: {{props.may | ''}}"]],
  ["{{ input.may }}", ["3: write a fallback: {{input.may | ''}}"]],
  ["@foreach(x in props.list){{props.may}}@endforeach", ["27: write a fallback: {{props.may | ''}}"]],
  ["@if(props.flag){{props.may}}@endif", ["17: write a fallback: {{props.may | ''}}"]],
])("[I-template-warnings] an optional property fails some calls of %j", (source, expected) => {
  expect(warned(source)).toEqual(expected);
});

test.each([
  "{{props.must}} {{props.preset}} {{props.old}} {{props.other}} {{env.may}}",
  "{{props.may | ''}} {{props.may || 'x'}}",
  "@if(props.may){{props.may}}@endif",
  "@if(!props.may)none@else{{props.may}}@endif",
  "@if(props.flag)a@elseif(props.may == 'x'){{props.may}}@endif",
])("[I-template-warnings] %j is fine", (source) => {
  expect(warned(source)).toEqual([]);
});

test("[I-template-warnings] alone in a setting an optional property drops the setting, and is fine", () => {
  expect(warned("{{props.may}}", "text")).toEqual([]);
  expect(warned("a {{props.may}}", "text")).toHaveLength(1);
});

test.each([
  ["@if(props.flag == 1)x@endif", ["15: write props.flag == true"]],
  ["@if(0 != props.flag)x@endif", ["6: write props.flag != false"]],
  ["{{ props.count > 1 and props.flag == 0 }}", ["34: write props.flag == false"]],
  ["@if(props.count == 1)x@endif @if(props.flag == true)x@endif @if(props.flag == 2)x@endif", []],
])("[I-template-warnings] a boolean that is compared with a number in %j", (source, expected) => {
  expect(warned(source)).toEqual(expected);
});

test.each([
  ["@if(props.must == 30)x@endif", ["15: compare text with text: write props.must == '30'"]],
  ["@if(1.5 != props.must)x@endif", ["8: compare text with text: write props.must != '1.5'"]],
  ["@if(env.N == 10)x@endif", ["10: compare text with text: write env.N == '10'"]],
  ["@if(props.count == '30')x@endif", ["16: compare a number with a number: write props.count == 30"]],
  ["@if(props.count == props.must)x@endif", ["16: give both the same type in inputSchema"]],
  ["@if(env.N == props.count)x@endif", ["10: give both the same type in inputSchema"]],
  ["@if(props.must == 'a')x@endif @if(props.count == 3)x@endif @if(props.count == 'many')x@endif", []],
  ["@if(props.other == 3)x@endif @if(env.N > 3)x@endif @if(props.must == null)x@endif", []],
])("[I-template-warnings] a text that is compared with a number in %j", (source, expected) => {
  expect(warned(source)).toEqual(expected);
});

test.each([
  [
    "@{{props.must}}",
    ["0: for an @ and the value write {{'@'}}{{props.must}}; to print braces, ignore this"],
  ],
  [
    "to: @{!! env.NAME !!}",
    ["4: for an @ and the value write {{'@'}}{{env.NAME}}; to print braces, ignore this"],
  ],
  ["me@{{props.must}} {{props.must}}@{{env.HOST}} @{{ user }}", []],
  ["@verbatim @{{props.must}} @endverbatim", []],
])("[I-template-warnings] an @ before braces in %j", (source, expected) => {
  expect(warned(source)).toEqual(expected);
});

test("a text that cannot be parsed is left to the loader", () => {
  expect(warned("@if(props.flag == 1")).toEqual([]);
});
