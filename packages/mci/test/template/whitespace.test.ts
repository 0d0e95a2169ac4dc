import { describe, expect, test } from "vitest";
import { render } from "./world.ts";

const world = { props: { t: true, f: false, list: ["A", "B"] } };

describe("[T-whitespace] a directive alone on its line takes that line with it", () => {
  test.each([
    ["@foreach(x in props.list)\n- {{x}}\n@endforeach\n", "- A\n- B\n"],
    ["List:\n@foreach(x in props.list)\n- {{x}}\n@endforeach\nEnd", "List:\n- A\n- B\nEnd"],
    ["a\n@if(props.t)\nb\n@else\nc\n@endif\nd", "a\nb\nd"],
    ["a\n@if(props.f)\nb\n@else\nc\n@endif\nd", "a\nc\nd"],
    ["a\n@if(props.f)\nb\n@elseif(props.t)\nc\n@endif\nd", "a\nc\nd"],
    ["a\n  @if(props.t)  \n  b\n\t@endif\t\nc", "a\n  b\nc"],
    ["a\r\n@if(props.t)\r\nb\r\n@endif\r\nc", "a\r\nb\r\nc"],
    ["@if(props.t)\nb\n@endif", "b\n"],
    ["@for(i in range(0, 2))\n{{i}}\n@endfor\n", "0\n1\n"],
    ["@if(\n  props.t\n)\nx\n@endif\n", "x\n"],
    ["@foreach(x in props.list)\n  @if(x == 'A')\n  first\n  @endif\n@endforeach\n", "  first\n"],
    ["\n@if(props.t)\n\nx\n\n@endif\n\n", "\n\nx\n\n\n"],
    ["@verbatim\n{{x}}\n@endverbatim\nafter\n", "{{x}}\nafter\n"],
  ])("%j gives %j", (source, expected) => {
    expect(render(source, world)).toBe(expected);
  });
});

describe("[T-whitespace] inline directives take nothing, and bodies are never trimmed", () => {
  test.each([
    ["[@if(props.t) yes @endif]", "[ yes ]"],
    ["[@if(props.t) yes @else no @endif]", "[ yes ]"],
    ["[@if(props.f) yes @else no @endif]", "[ no ]"],
    ["[@if(props.f) a @elseif(props.t) b @endif]", "[ b ]"],
    ["x @if(props.t)\ny\n@endif z", "x \ny\n z"],
    ["@if(props.t)\ny @endif\nz", "y \nz"],
    ["@if(props.t)@endif\nz", "\nz"],
    ["@foreach(x in props.list) {{x}} @endforeach", " A  B "],
    ["@foreach(x in props.list){{x}}\n@endforeach", "A\nB\n"],
    ["  {{props.t}}  \n", "  true  \n"],
    ["@if(props.t) @if(props.t)\nx @endif @endif", " \nx  "],
    ["a\r@if(props.t)\rb\r@endif\rc", "a\r\rb\r\rc"],
  ])("%j gives %j", (source, expected) => {
    expect(render(source, world)).toBe(expected);
  });
});
