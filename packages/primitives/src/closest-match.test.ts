import { expect, test } from "vitest";
import { closestMatch } from "./closest-match.ts";

test.each([
  { name: "excution", candidates: ["name", "execution", "tags"], expected: "execution" },
  { name: "HTTP", candidates: ["http", "cli"], expected: "http" },
  { name: "htpp", candidates: ["http", "cli", "file"], expected: "http" },
  { name: "schema_version", candidates: ["schemaVersion", "metadata"], expected: "schemaVersion" },
  { name: "get-weather", candidates: ["get_weather", "get_forecast"], expected: "get_weather" },
  { name: "get_wether", candidates: ["get_forecast", "get_weather"], expected: "get_weather" },
  { name: "ulr", candidates: ["url", "auth"], expected: "url" },
  { name: "xml", candidates: ["json", "form", "raw"], expected: undefined },
  { name: "something_else", candidates: ["http", "cli"], expected: undefined },
  { name: "a", candidates: [], expected: undefined },
  { name: "", candidates: ["json"], expected: undefined },
  { name: "get_weather", candidates: ["get_weather"], expected: undefined },
])("the nearest of $candidates to '$name' is $expected", ({ name, candidates, expected }) => {
  expect(closestMatch(name, candidates)).toBe(expected);
});

test("ten thousand candidates and a very long name take little time", () => {
  const candidates = Array.from({ length: 10_000 }, (_, index) => `tool_number_${index}`);
  expect(closestMatch("tool_numbr_77", candidates)).toBe("tool_number_77");
  expect(closestMatch("x".repeat(1_000_000), candidates)).toBeUndefined();
});
