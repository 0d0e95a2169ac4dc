import { Setting } from "../../template/setting.ts";
import type { Schema } from "../schema/schema.ts";
import { PropertyNames } from "./names.ts";

/** A tool while it is being made: what it asks for, and where each value goes. */
export class Draft {
  readonly names = new PropertyNames();
  readonly properties: [name: string, schema: Schema][] = [];
  readonly required: string[] = [];
  readonly url: (string | Setting)[] = [];
  readonly pathParams: Fields = new Map();
  readonly params: Fields = new Map();
  readonly headers = new Map<string, string | Setting>();
  readonly cookies = new Map<string, string | Setting>();
  readonly styles = {
    path: new Map(),
    query: new Map(),
    header: new Map(),
    cookie: new Map(),
  } as const satisfies Record<string, Map<string, WireStyle>>;
  body: Schema | undefined;

  /** Asks for a value; gives the name of its property. */
  ask(name: string, place: string, schema: Schema, required: boolean): string {
    const property = this.names.add(name, place);
    this.properties.push([property, schema]);
    if (required) this.required.push(property);
    return property;
  }

  /** The settings of the execution that are not empty. */
  execution(): Record<string, unknown> {
    const styles = Object.entries(this.styles)
      .filter(([, fields]) => fields.size > 0)
      .map(([place, fields]) => [place, Object.fromEntries<unknown>(fields)]);
    return {
      url: Setting.join(...this.url),
      ...optionalField("pathParams", this.pathParams),
      ...optionalField("params", this.params),
      ...optionalField("headers", this.headers),
      ...optionalField("cookies", this.cookies),
      ...(styles.length > 0 ? { paramStyles: Object.fromEntries(styles) } : {}),
    };
  }
}

type Fields = Map<string, unknown>;

/** How a list or an object is written, in the words of OpenAPI. A plain name: with that style's own `explode`. */
export type WireStyle =
  | string
  | {
      readonly style?: string;
      readonly explode?: boolean;
      readonly allowReserved?: boolean;
    };

function optionalField(name: string, fields: ReadonlyMap<string, unknown>): object {
  return fields.size === 0 ? {} : { [name]: Object.fromEntries(fields) };
}
