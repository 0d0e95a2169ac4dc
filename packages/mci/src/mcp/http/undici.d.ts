// undici's main entry loads more than twice as much; see also the http executor's declarations. The version is pinned.

declare module "undici/lib/web/fetch/index.js" {
  export { fetch } from "undici";
}
