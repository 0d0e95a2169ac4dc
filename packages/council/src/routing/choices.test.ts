import { expect, test } from "vitest";
import { cpuMs } from "../../../../test/cpu-time.ts";
import { findChoices } from "./choices.ts";

test.each<[string, readonly string[]]>([
  [
    "For date manipulation in JS, is it better to use 'moment.js' or 'date-fns' in a new project in 2025?",
    ["moment.js", "date-fns"],
  ],
  [
    "What is the best approach to implement authentication in a Node.js/Express API: JWT or sessions?",
    ["JWT", "sessions"],
  ],
  ["Use A or B?", ["A", "B"]],
  ["Use tabs or spaces?", ["tabs", "spaces"]],
  ["Vim or Emacs?", ["Vim", "Emacs"]],
  ["Should I use REST or GraphQL for a public API?", ["REST", "GraphQL"]],
  ["Should I use React, Vue or Svelte for a small app?", ["React", "Vue", "Svelte"]],
  ["Should I use React, Vue, or Svelte for a small app?", ["React", "Vue", "Svelte"]],
  ["Which is faster, quicksort or bubble sort?", ["quicksort", "bubble sort"]],
  ["Which is larger: 9.11 or 9.9?", ["9.11", "9.9"]],
  ["Pick one: npm, yarn or pnpm", ["npm", "yarn", "pnpm"]],
  ["Postgres vs MySQL for a small SaaS?", ["Postgres", "MySQL"]],
  ["MongoDB versus DynamoDB for a shopping cart?", ["MongoDB", "DynamoDB"]],
  ["Between Redis and Memcached, which one supports persistence?", ["Redis", "Memcached"]],
  ["Which is better between Go and Rust for a CLI?", ["Go", "Rust"]],
  ["Is a tomato a fruit or a vegetable?", ["fruit", "vegetable"]],
  ['Is "horse" an animal, a vegetable or a tool?', ["animal", "vegetable", "tool"]],
  ["Is Tokyo in Asia or in Africa?", ["Asia", "Africa"]],
  ["Is Brazil in South America or in Europe?", ["South America", "Europe"]],
  ["Is a violin played with a bow or with a hammer?", ["bow", "hammer"]],
  ["At a party, a cat or a dog?", ["cat", "dog"]],
  ["Do cats or dogs live longer?", ["cats", "dogs"]],
  ["Is React or Vue better?", ["React", "Vue"]],
  ["Are dogs or cats smarter?", ["dogs", "cats"]],
  ["Is Ada Lovelace or Babbage older?", ["Ada Lovelace", "Babbage"]],
  ["In general, is the wave or the particle faster?", ["wave", "particle"]],
  ["Is React, Vue or Svelte smaller?", ["React", "Vue", "Svelte"]],
  ["Should tabs or spaces be used?", ["tabs", "spaces"]],
  ["npm or yarn or pnpm?", ["npm", "yarn", "pnpm"]],
  ["Should I use an ORM or raw SQL or a query builder here?", ["ORM", "raw SQL", "query builder here"]],
  ["Postgres vs. MySQL for a small SaaS", ["Postgres", "MySQL"]],
  ["Is it spelled 'accomodate' or 'accommodate'?", ["accomodate", "accommodate"]],
  ['Should the flag be called "strict", "safe" or "checked"?', ["strict", "safe", "checked"]],
  ["Is water wet, yes or no?", ["yes", "no"]],
  ["Should we migrate now or not?", ["yes", "no"]],
  ["True or false: HTTP/3 runs over TCP.", ["true", "false"]],
  [
    "Which of these is not a JavaScript primitive?\n- string\n- symbol\n- array\n- bigint",
    ["string", "symbol", "array", "bigint"],
  ],
  ["Choose one:\na) merge\nb) rebase\nc) squash", ["merge", "rebase", "squash"]],
  ["Does a gigabyte have 1000 MB or 1000 Mb?", ["1000 MB", "1000 Mb"]],
  ["Devo usar npm ou yarn?", ["npm", "yarn"]],
  ["É melhor usar 'axios' ou 'fetch' em um projeto novo?", ["axios", "fetch"]],
  ["Qual linguagem é mais rápida: Python ou Rust?", ["Python", "Rust"]],
  ["¿Es mejor usar React o Vue para una aplicación pequeña?", ["React", "Vue"]],
  ["¿Qué es mejor para estilos, Tailwind o Bootstrap?", ["Tailwind", "Bootstrap"]],
])("[B-choices] %j offers %j", (prompt, choices) => {
  expect(findChoices(prompt)).toEqual(choices);
});

test.each([
  "What is the capital of Australia?",
  "What is the difference between a process and a thread?",
  "Review the code in 'a.ts' and 'b.ts'",
  "Explain 'let' in JavaScript.",
  "Is there life on Mars or elsewhere in the solar system?",
  "Is there life on Mars or Venus?",
  "Are there lions or tigers in Africa?",
  "Tell me, is there a bus or a train to Dover?",
  "Gibt es Leben auf dem Mars oder der Venus?",
  "¿Hay vida en Marte o Venus?",
  "Há vida em Marte ou Vénus?",
  "Y a-t-il de la vie sur Mars ou Vénus ?",
  "Is 17 prime or composite?",
  "Is the sky blue or green?",
  "Are tomatoes fruits or vegetables?",
  "Write a story about a boy and his dog",
  "The build fails, or so it seems. Why?",
  "",
])("[B-choices] %j offers nothing to choose from", (prompt) => {
  expect(findChoices(prompt)).toEqual([]);
});

test("[B-choices] hostile text is read in linear time", () => {
  for (const text of [
    "'a' or ".repeat(20_000),
    "x vs ".repeat(20_000),
    "between a ".repeat(20_000),
    ", ".repeat(50_000),
    "or ".repeat(50_000),
    "、と".repeat(50_000),
    "。和".repeat(50_000),
    "还是".repeat(50_000),
    " :".repeat(50_000),
  ]) {
    const started = cpuMs();
    findChoices(text);
    expect(cpuMs() - started).toBeLessThan(1000);
  }
});
