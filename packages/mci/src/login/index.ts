export { fileLoginStore, loginFile } from "./file-store.ts";
export type {
  DeviceCode,
  LoginOptions,
  LoginResource,
  LoginWay,
  OnAuthorize,
  OnDeviceCode,
} from "./login-options.ts";
export {
  type Login,
  type LoginClient,
  type LoginKey,
  type LoginStore,
  type LoginTokens,
  memoryLoginStore,
} from "./login-store.ts";
export { type Loopback, openLoopback } from "./loopback.ts";
