/** What the parser returns. Children are in the order of the source. */
export type Node =
  | { readonly type: "Field"; readonly name: string }
  | { readonly type: "Index"; readonly value: number }
  | { readonly type: "Slice"; readonly children: readonly (number | null)[] }
  | { readonly type: "Literal"; readonly value: unknown }
  | { readonly type: "Identity" | "Current" }
  | { readonly type: "Comparator"; readonly name: Comparator; readonly children: readonly Node[] }
  | { readonly type: "Function"; readonly name: string; readonly children: readonly Node[] }
  | { readonly type: "MultiSelectHash"; readonly children: readonly Pair[] }
  | {
      readonly type:
        | "Subexpression"
        | "IndexExpression"
        | "Projection"
        | "ValueProjection"
        | "FilterProjection"
        | "Flatten"
        | "MultiSelectList"
        | "OrExpression"
        | "AndExpression"
        | "NotExpression"
        | "Pipe"
        | "ExpressionReference";
      readonly children: readonly Node[];
    };

export type Comparator = "EQ" | "NE" | "GT" | "GTE" | "LT" | "LTE";

export interface Pair {
  readonly type: "KeyValuePair";
  readonly name: string;
  readonly value: Node;
}

/** An expression as an argument, such as `&age`. A class of its own, so that no data can pass for one. */
export class ExpressionReference {
  readonly node: Node;
  constructor(node: Node) {
    this.node = node;
  }
}
