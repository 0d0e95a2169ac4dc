import { type Question, type QuestionLine, withHash } from "./questions.ts";

/** Short questions of our own, for a first look: `mci-council eval --sample`. They say little about your work; your own say more. */
const LINES: readonly (QuestionLine & { readonly id: string })[] = [
  { id: "spider", prompt: "How many legs does a spider have?", answer: "8", accept: ["eight"] },
  { id: "capital", prompt: "What is the capital of Australia?", answer: "Canberra" },
  { id: "prime", prompt: "Is 91 a prime number, yes or no?", answer: "no" },
  { id: "product", prompt: "What is 17 * 23?", answer: "391" },
  {
    id: "leap-year",
    prompt: "Was the year 1900 a leap year in the Gregorian calendar, yes or no?",
    answer: "no",
  },
  {
    id: "letters",
    prompt: "How many times does the letter r occur in the word strawberry?",
    answer: "3",
    accept: ["three"],
  },
  {
    id: "weekday",
    prompt: "If today is Wednesday, which day of the week is it in 10 days?",
    answer: "Saturday",
  },
  { id: "decimals", prompt: "Which is larger, 9.11 or 9.9?", answer: "9.9" },
  {
    id: "bat-and-ball",
    prompt:
      "A bat and a ball cost 1.10 euros together. The bat costs 1 euro more than the ball. How many cents does the ball cost?",
    answer: "5",
    accept: ["5 cents", "five"],
  },
  {
    id: "siblings",
    prompt: "Sara has 3 brothers. Each brother has 2 sisters. How many sisters does Sara have?",
    answer: "1",
    accept: ["one"],
  },
  { id: "hex", prompt: "What is the hexadecimal number 2F in decimal?", answer: "47" },
  { id: "reverse", prompt: "Write the word lamp backwards.", answer: "pmal" },
  {
    id: "javascript",
    prompt: "What does the JavaScript expression typeof null evaluate to?",
    answer: "object",
    accept: ['"object"', "'object'"],
  },
  {
    id: "python",
    prompt: "What does the Python expression 7 // -2 evaluate to?",
    answer: "-4",
  },
  {
    id: "train",
    prompt: "A train leaves at 22:40 and arrives at 01:15. How many minutes does it travel?",
    answer: "155",
    accept: ["155 minutes"],
  },
  {
    id: "http",
    prompt: "Which HTTP status code says that a client sent too many requests?",
    answer: "429",
  },
  {
    id: "older",
    prompt: "Ada is 36 and Bo is 29. Who is older, and by how many years?",
    schema: {
      type: "object",
      properties: { older: { type: "string" }, years: { type: "integer" } },
      required: ["older", "years"],
      additionalProperties: false,
    },
    answer: { older: "Ada", years: 7 },
  },
  {
    id: "invoice",
    prompt: "Which number, total and currency does the invoice in the context have?",
    context: { invoice: "Invoice R-17 of 3 May. Two chairs, 60.25 EUR each. To be paid within 14 days." },
    schema: {
      type: "object",
      properties: {
        number: { type: "string" },
        total: { type: "number" },
        currency: { type: "string", enum: ["EUR", "USD", "GBP"] },
        reason: { type: "string", "x-vote": false },
      },
      required: ["number", "total", "currency", "reason"],
      additionalProperties: false,
    },
    answer: { number: "R-17", total: 120.5, currency: "EUR", reason: "" },
  },
  {
    id: "sky",
    prompt: "Why is the sky blue?",
    rubric: "Says that the air scatters short wavelengths (blue) more strongly than long ones.",
  },
  {
    id: "race",
    prompt:
      "Two processes each read a counter, add one and write it back. What can go wrong, and what helps?",
    rubric:
      "Says that an update can be lost when both read before either writes, and names a remedy: a lock, an atomic operation or a transaction.",
  },
];

export const SAMPLE_QUESTIONS: readonly Question[] = LINES.map(withHash);
