import { describe, expect, test } from "vitest";
import { problemOf, render, renderText } from "./world.ts";

const world = { props: { user: "jo", host: "h", t: true, f: false }, env: { HOST: "srv" } };

describe("[T-escape] escapes in large texts", () => {
  test.each([
    ["@@if(props.t)", "@if(props.t)"],
    ["@@if", "@if"],
    ["@@else @@endif @@for @@foreach @@include @@elseif", "@else @endif @for @foreach @include @elseif"],
    ["@@verbatim @@endverbatim", "@verbatim @endverbatim"],
    ["@@@if(x)", "@@if(x)"],
    ["@@foo a@@b @@", "@@foo a@@b @@"],
    ["@{{ x }}", "{{ x }}"],
    ["@{!! x !!}", "{!! x !!}"],
    ["@{{ @if(a) | 'b }}", "{{ @if(a) | 'b }}"],
    ["@{{", "{{"],
    ["a @{{ x }} {{props.user}}", "a {{ x }} jo"],
    ["(@{{ x }})", "({{ x }})"],
    ["@verbatim{{ x }} @if(y) @{{ z }} @@if@endverbatim", "{{ x }} @if(y) @{{ z }} @@if"],
    ["a@verbatim{{@endverbatim}}b", "a{{}}b"],
    ["@verbatim@endverbatim", ""],
  ])("%j gives %j", (source, expected) => {
    expect(render(source, world)).toBe(expected);
  });

  test.each([
    ["{{props.user}}@{{props.host}}", "jo@h"],
    ["git@{{env.HOST}}:repo", "git@srv:repo"],
    ["pkg-1.2@{{env.HOST}}", "pkg-1.2@srv"],
  ])("an @ glued to what is before it is itself: %j gives %j", (source, expected) => {
    expect(render(source, world)).toBe(expected);
    expect(renderText(source, world)).toBe(expected);
  });
});

describe("[T-escape] mail addresses and unknown words stay text", () => {
  test.each([
    "user@example.com",
    "jo@else.org, jo@endif.org, jo@endverbatim.net, jo@for.com",
    "@foo @elsewhere @iffy(x) @format(y) @forward @endless @IF(x) @media (min-width: 1px)",
    "@if you like, @for example, @foreach of us, @include mixin;",
    "@ @. @( a@ @",
    "@elif(x)",
  ])("%j", (source) => {
    expect(render(source, world)).toBe(source);
  });

  test("inside of blocks, too", () => {
    const text = "mail jo@elsevier.com or jo@endifs.org, @foo";
    expect(render(`@if(props.t)${text}@endif`, world)).toBe(text);
  });
});

describe("settings know placeholders only", () => {
  test.each([
    "@if(props.t)a@endif",
    "@foreach(x in props.y)",
    "@@if @verbatim @endverbatim @include('x') @else @endif",
    "user@example.com",
  ])("%j stays as it is", (source) => {
    expect(renderText(source, world)).toBe(source);
    expect(renderText(`${source} {{props.user}}`, world)).toBe(`${source} jo`);
  });

  test("@{{ x }} is an escape there as well", () => {
    expect(renderText("@{{ x }} {{props.user}}", world)).toBe("{{ x }} jo");
    expect(renderText("@{!! x !!}", world)).toBe("{!! x !!}");
  });
});

describe("[T-syntax] a word that is a directive, at a place where it cannot be one", () => {
  test.each([
    ["@endif", "@endif without @if"],
    ["@else", "@else without @if"],
    ["@elseif(x)", "@elseif without @if"],
    ["@endfor", "@endfor without @for"],
    ["@endforeach", "@endforeach without @foreach"],
    ["@endverbatim", "@endverbatim without @verbatim"],
    ["@if(a)@endfor", "@endfor without @for, inside the @if that is open"],
    ["@for(i in range(0, 1))@endforeach", "@endforeach without @foreach"],
    ["@foreach(x in y)@else@endforeach", "@else without @if"],
    ["@if(a)@else@else@endif", "@else after @else"],
    ["@if(a)@else@elseif(b)@endif", "@elseif after @else"],
    ["@if(a)@elseif b@endif", "@elseif needs a condition"],
  ])("%s: %s", (source, message) => {
    expect(problemOf(source).message).toContain(message);
  });
});
