/** For results that the SDK has no schema of: their reader checks them. */
export const ANY_RESULT = {
  "~standard": { version: 1 as const, vendor: "mci-ts", validate: (value: unknown) => ({ value }) },
};
