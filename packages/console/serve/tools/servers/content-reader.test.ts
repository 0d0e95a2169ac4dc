import { expect, test } from "vitest";
import { ContentReader } from "./content-reader.ts";

const mask = (text: string) => text.replaceAll("secret", "***");

test("12 MB are shown of a response: texts are cut and say by how much, other data is left out whole, and no half of a secret stays", () => {
  const reader = new ContentReader(mask);
  const first = reader.resource({ uri: "x://1", text: "a".repeat(11_999_997) });
  expect(first).not.toHaveProperty("omitted_chars");
  const picture = reader.item({ type: "image", mimeType: "image/png", data: "A".repeat(100) });
  expect(picture).toEqual({ item: { type: "image", mimeType: "image/png", data: "" }, omitted_chars: 100 });
  expect(reader.item({ type: "text", text: "secret and more" })).toEqual({
    item: { type: "text", text: "***" },
    omitted_chars: 9,
  });
  expect(reader.resource({ uri: "x://2", text: "more" })).toMatchObject({ omitted_chars: 4 });
});

test("what has wrong types is shown as JSON, or without what is wrong", () => {
  const reader = new ContentReader(mask);
  const text = (written: string) => ({ item: { type: "text", text: written } });
  for (const sent of [7, null, [], {}, "text", { type: "text", text: 7 }, { type: "image", data: {} }])
    expect(reader.item(sent)).toEqual(text(JSON.stringify(sent)));
  expect(reader.item(undefined)).toEqual(text("null"));
  expect(reader.item({ type: "resource", resource: "x" })).toEqual(
    text('{"type":"resource","resource":"x"}'),
  );
  expect(reader.resource({ uri: 7, mimeType: [], text: {}, blob: 1 })).toEqual({
    item: { type: "resource", resource: { uri: "", blob: "" } },
  });
  expect(reader.resource("x")).toEqual({ item: { type: "resource", resource: { uri: "", blob: "" } } });
});

test("a secret is masked in texts that are encoded, and not by chance in what is not text", () => {
  const reader = new ContentReader(mask);
  const blob = Buffer.from("the secret").toString("base64");
  const read = (mimeType: string) => {
    const { item } = reader.resource({ uri: "x://1", mimeType, blob });
    return item.type === "resource" && Buffer.from(item.resource.blob ?? "", "base64").toString();
  };
  for (const type of ["text/plain", "application/json", "application/ld+json", "image/svg+xml"])
    expect([type, read(type)]).toEqual([type, "the ***"]);
  expect(read("application/octet-stream")).toBe("the secret");
});
