export {
  type ImportedToolset,
  type ImportOptions,
  type ImportResult,
  importOpenApi,
  type OperationTool,
  type SkippedTool,
} from "./import-openapi.ts";
export { type Bundle, type BundleOptions, bundleOpenApi } from "./read/bundle.ts";
export type { ImportedTool } from "./tool/tool.ts";
export type { ImportedVariable } from "./tool/variables.ts";
