import type { Capsule } from "@mci-ts/council-server/api";

/** The script and the styles of the replay, with their digests: made when the page is built. */
export interface ReplayBundle {
  readonly script: string;
  readonly scriptHash: string;
  readonly style: string;
  readonly styleHash: string;
}

/**
 * A run as one HTML file that needs no network. `parts` is what `api/console` says, for the names of strategies. Whatever prompts, models and people wrote is data in it: JSON in which no "<" is
 * left, so that nothing can end its element, and the policy of the file runs one script, by its digest.
 */
export function replayHtml(capsule: Capsule, parts: unknown, bundle: ReplayBundle): string {
  const policy = [
    "default-src 'none'",
    `script-src '${bundle.scriptHash}'`,
    `style-src '${bundle.styleHash}'`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const data = JSON.stringify({ capsule, parts }).replaceAll("<", "\\u003c");
  const title = escapeHtml(capsule.run.prompt.slice(0, 80));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${title} – recorded run</title>
<style>${bundle.style}</style>
</head>
<body>
<div id="root"></div>
<noscript>This recording of a run needs JavaScript. Everything it shows is in this file; it loads nothing.</noscript>
<script type="application/json" id="capsule">${data}</script>
<script type="module">${bundle.script}</script>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
