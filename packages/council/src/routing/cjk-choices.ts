/** What a Japanese or Chinese question offers to choose from. Both mark the choice itself, so that a pattern is enough. */
export function cjkChoices(text: string): readonly string[] {
  // The question stands at the end.
  const end = text.slice(-MAX_CHARS);
  for (const pattern of PATTERNS) {
    const match = pattern.exec(end);
    if (match) return [...match[1]!.split("、"), match[2]!].map((item) => item.trim().replace(LEADING, ""));
  }
  return [];
}

const MAX_CHARS = 200;
const ITEM = String.raw`[^、。，,？?：:；;！!「」\n]{1,30}?`;
const LIST = `(${ITEM}(?:、${ITEM}){0,10})`;

const PATTERNS: readonly RegExp[] = [
  // 東京と大阪、どちらが … / PostgresとMySQLのどちらが … / タブかスペース、どちらを …
  new RegExp(
    String.raw`(?:^|[。、，\n]|は)${LIST}\s?(?:と|か|それとも)\s?(${ITEM})(?:の|、|では|とでは)?\s?(?:どちら|どっち)`,
  ),
  // 用Postgres还是MySQL？
  new RegExp(
    String.raw`(?:^|[。，,：:\n])${LIST}\s?(?:还是|還是|或者|抑或)\s?(${ITEM})(?=[？?，。]|更|比较|好|来|吗|$)`,
  ),
  // 北京和上海哪个更大？
  new RegExp(
    String.raw`(?:^|[。，,：:\n])${LIST}\s?(?:和|与|跟|與)\s?(${ITEM})[，,]?\s?(?:相比)?(?:哪(?:个|一个|個|一個|座|种|種)|谁更|誰更)`,
  ),
];

/** Words before the first item that are not part of it. */
const LEADING =
  /^(?:我们|我們|我|你|到底|究竟|应该|應該|应当|该|該|要|请问|在)*(?:使用|选择|選擇|采用|选|選|用|买|是)?/;
