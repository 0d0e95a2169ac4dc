import type { CouncilResult, EventBody, StepView, TaskView } from "@mci-ts/council";
import { describe, expectTypeOf, it } from "vitest";
import type { ModelResponse } from "./api-schemas.ts";
import type { Immutable } from "./api-type.ts";
import type { RunEvent } from "./event-schemas.ts";
import type { Task, TaskStep } from "./task-schemas.ts";

/** The fields of a type: which texts and numbers they may hold is compared by assigning one type to the other. */
type Shape<T> = T extends string
  ? string
  : T extends number
    ? number
    : T extends object
      ? { readonly [Key in keyof T]: Shape<T[Key]> }
      : T;

type Added = "request_id" | "timestamp" | "formatted" | "cached";
type EngineMetadata = Omit<ModelResponse["metadata"], Added>;
type EngineEvent<Event = RunEvent> = Event extends { type: "run.response" | "run.error" }
  ? never
  : Omit<Event, "v" | "request_id" | "seq" | "ts">;

// The compiler checks these, as it checks every file: vitest runs them as empty tests.
describe("the schemas of the API have every field of the engine, and no other [A-schemas]", () => {
  it("in responses", () => {
    expectTypeOf<CouncilResult["result"]>().toExtend<ModelResponse["result"]>();
    expectTypeOf<CouncilResult["metadata"]>().toExtend<EngineMetadata>();
    expectTypeOf<Shape<Immutable<EngineMetadata>>>().toEqualTypeOf<
      Shape<Immutable<CouncilResult["metadata"]>>
    >();
    expectTypeOf<Shape<ModelResponse["result"]>>().toEqualTypeOf<Shape<Immutable<CouncilResult["result"]>>>();
  });

  it("in events", () => {
    expectTypeOf<EventBody>().toExtend<EngineEvent>();
    expectTypeOf<EventBody["type"]>().toEqualTypeOf<EngineEvent["type"]>();
    expectTypeOf<Shape<Immutable<EngineEvent>>>().toEqualTypeOf<Shape<Immutable<EventBody>>>();
  });

  it("in tasks and their steps", () => {
    expectTypeOf<TaskView>().toExtend<Task>();
    expectTypeOf<Shape<Task>>().toEqualTypeOf<Shape<Immutable<TaskView>>>();
    expectTypeOf<StepView>().toExtend<TaskStep>();
    expectTypeOf<Shape<TaskStep>>().toEqualTypeOf<Shape<Immutable<StepView>>>();
  });
});
