/** A Standard Schema of the parameters of a request that the SDK does not know. */
export function schemaOf<T>(isValid: (params: Readonly<Record<string, unknown>>) => boolean) {
  const validate = (value: unknown) =>
    isValid((value ?? {}) as Record<string, unknown>)
      ? { value: (value ?? {}) as T }
      : { issues: [{ message: "Invalid parameters" }] };
  const types = undefined as unknown as { readonly input: T; readonly output: T };
  return { "~standard": { version: 1 as const, vendor: "mci", validate, types } };
}
