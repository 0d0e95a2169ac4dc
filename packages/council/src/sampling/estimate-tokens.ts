/** About how many tokens a text has, at least: five letters of an alphabet to a token, two signs of Chinese, Japanese or Korean. */
export function estimateTokens(text: string): number {
  const dense = text.match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g)?.length ?? 0;
  return Math.ceil(dense / 2 + (text.length - dense) / 5);
}
