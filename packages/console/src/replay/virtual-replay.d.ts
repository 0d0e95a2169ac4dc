declare module "virtual:replay" {
  /** The replay as texts, with digests for a policy; `vite.config.ts` builds it. */
  const bundle: import("../council/share/replay-html.ts").ReplayBundle;
  export default bundle;
}
