/** Levels that are formatted; what is deeper is shown as it was written. */
export const MAX_DEPTH = 20;
