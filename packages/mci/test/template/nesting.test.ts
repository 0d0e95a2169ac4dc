import { describe, expect, test } from "vitest";
import { render } from "./world.ts";

const world = { props: { t: true, f: false, list: ["a", "b"], object: { k: "v" } } };

/** Each kind of block around a body, and what it makes of the body. */
const BLOCKS = [
  { name: "@if", open: "@if(props.t)", close: "@endif", repeat: 1 },
  { name: "@else", open: "@if(props.f)no@else", close: "@endif", repeat: 1 },
  { name: "@elseif", open: "@if(props.f)no@elseif(props.t)", close: "@else no@endif", repeat: 1 },
  { name: "@for", open: "@for(i in range(0, 2))", close: "@endfor", repeat: 2 },
  { name: "@foreach", open: "@foreach(x in props.list)", close: "@endforeach", repeat: 2 },
  {
    name: "@foreach over an object",
    open: "@foreach(k, v in props.object)",
    close: "@endforeach",
    repeat: 1,
  },
] as const;

const pairs = BLOCKS.flatMap((outer) => BLOCKS.map((inner) => ({ outer, inner })));

describe("[T-if] any block in any block", () => {
  test.each(pairs)("$inner.name in $outer.name", ({ outer, inner }) => {
    const source = `${outer.open}<${inner.open}[x]${inner.close}>${outer.close}`;
    expect(render(source, world)).toBe(`<${"[x]".repeat(inner.repeat)}>`.repeat(outer.repeat));
  });

  test.each(pairs)("$outer.name twice around $inner.name", ({ outer, inner }) => {
    const source = `${outer.open}${outer.open}${inner.open}.${inner.close}${outer.close}${outer.close}`;
    expect(render(source, world)).toBe(".".repeat(outer.repeat ** 2 * inner.repeat));
  });

  test("a branch that is not taken does not count what is in it", () => {
    expect(render("@if(props.t)a@if(props.t)b@endif c@endif", world)).toBe("ab c");
    expect(render("@if(props.f)a@if(props.t)b@endif c@endif", world)).toBe("");
    expect(render("@if(props.f)@if(props.f)a@else b@endif@else c@endif", world)).toBe(" c");
  });

  test("@endfor is not the beginning of @endforeach", () => {
    expect(
      render("@for(i in range(0, 2))@foreach(x in props.list){{i}}{{x}} @endforeach@endfor", world),
    ).toBe("0a 0b 1a 1b ");
  });

  test("loop variables are visible everywhere inside: conditions, fallbacks, ranges, indexes, inner loops", () => {
    const props = {
      rows: [
        { n: 2, names: ["p", "q"], on: true },
        { n: 1, names: ["r"], on: false },
      ],
    };
    const source = [
      "@foreach(i, row in props.rows)",
      "@if(row.on and i == 0)on@elseif(row.n == 1)one@endif:",
      "@for(j in range(0, row.n)){{row.names[j]}}{{row.missing | j}}@endfor;",
      "@endforeach",
    ].join("");
    expect(render(source, { props })).toBe("on:p0q1;one:r0;");
  });
});
