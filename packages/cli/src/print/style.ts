import { styleText } from "node:util";
import type { Output } from "../command.ts";

type Format = Parameters<typeof styleText>[0];

/** The text in a colour or weight, where the output shows colours. */
export function style(output: Pick<Output, "colour">, format: Format, text: string): string {
  return output.colour ? styleText(format, text, { validateStream: false }) : text;
}
