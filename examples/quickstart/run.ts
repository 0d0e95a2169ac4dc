/**
 * The whole library in one sitting: load a file, list its tools, execute each: text, file, cli and http.
 *
 *   npm start
 */
import { MCIClient } from "mci-ts";
import { startWeatherServer } from "./weather-server.ts";

const weather = await startWeatherServer("quickstart-key");
const client = await MCIClient.load(new URL("tools.mci.json", import.meta.url), {
  env: { WEATHER_URL: weather.url, WEATHER_KEY: "quickstart-key" },
});

console.log("Tools in examples/quickstart/tools.mci.json:\n");
for (const tool of client.tools()) {
  console.log(`  ${tool.name.padEnd(18)} ${tool.execution.type.padEnd(5)} ${tool.description}`);
}

const calls: [name: string, properties: Record<string, unknown>][] = [
  ["greet", { name: "Ada", polite: true }],
  ["packing_list", { city: "Lisbon", days: 3 }],
  ["search_templates", { pattern: "PROPS.CITY", ignore_case: true }],
  ["get_weather", { city: "São Paulo" }],
];

for (const [name, properties] of calls) {
  const result = await client.execute(name, properties);
  console.log(`\n> client.execute(${JSON.stringify(name)}, ${JSON.stringify(properties)})`);
  console.log(result.text.trimEnd().replaceAll(/^/gm, "  "));
  if (result.isError) process.exitCode = 1;
}

const hostile = await client.execute("get_weather", { city: "../admin" });
console.log(`\nInjection-safe: a city called "../admin" does not leave its place in the URL.`);
console.log(`  ${hostile.error}`);

await client.close();
weather.close();
console.log(
  "\nNext: open examples/quickstart/tools.mci.json, change a tool, run it again. Guide: docs/quickstart.md",
);
