import type { Tool } from "./result.ts";

/** One reason to pick a tool. The first rule that fits wins; a new rule is one more entry. */
interface RoutingRule {
  readonly name: string;
  readonly tool: Tool;
  readonly fits: (prompt: PromptView) => boolean;
}

/** A prompt as the rules see it. */
export interface PromptView {
  /** Lower case, without accents and code blocks, one space between words; beginning and end of long ones. */
  readonly text: string;
  readonly chars: number;
  readonly words: number;
  readonly questions: number;
  /** A code block in the prompt, or code beside it. */
  readonly hasCode: boolean;
  /** How many options it offers to choose from. */
  readonly choices: number;
}

/** What is asked for stands at the beginning or the end; the middle of a long prompt is material. */
const EDGE_CHARS = 600;
const LONG_CHARS = 400;

export function readPrompt(prompt: string, beside: { hasCode: boolean; choices: number }): PromptView {
  const withoutCode = prompt.replace(/```[\s\S]*?(?:```|$)/g, " ");
  const edges =
    withoutCode.length <= 2 * EDGE_CHARS
      ? withoutCode
      : `${withoutCode.slice(0, EDGE_CHARS)} \n ${withoutCode.slice(-EDGE_CHARS)}`;
  const text = edges
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[\s¿¡]+/g, " ")
    .replace(/’/g, "'")
    .trim();
  return {
    text,
    chars: prompt.length,
    words: text.split(" ").length,
    questions: text.split("?").length - 1,
    hasCode: beside.hasCode || prompt.includes("```"),
    choices: beside.choices,
  };
}

const STEPS =
  "(?:steps|tasks|sub-?tasks|tickets|(?:user )?stories|milestones|phases|sprints|stages|checklist|to-?do list|passos|etapas|tarefas|sub-?tarefas|fases|pasos|tareas|sub-?tareas|sequence of)";
const PLAN =
  "(?:plan|roadmap|road map|checklist|to-?do list|task list|list of tasks|work breakdown|plano|roteiro|cronograma|hoja de ruta)";
const SPLIT =
  "(?:break|split|divide|separate|turn|cut|slice|structure|organi[sz]e|quebre|quebrar|divida|dividir|separe|separa|parte)";
const MAKE =
  "(?:create|make|write|draft|outline|prepare|build|give|need|want|like|propose|suggest|develop|produce|generate|come up with|crie|criar|faca|elabore|elabora|monte|prepare|sugira|gere|crea|haz|prepara|genera|traza|necesito|preciso de)";

const anywhere = (source: string) => new RegExp(String.raw`\b${source}\b`);
/** At the start of the prompt or of a sentence, also after "please" or "can you". */
const asked = (source: string) =>
  new RegExp(
    String.raw`(?:^|[.!?:;] |\b(?:please|and|then|(?:can|could|would) you|por favor|e|y) )(?:me )?${source}\b`,
  );

const DECOMPOSE = /\b(?:decompose|decomponha|decompor|descompon|descomponer|descomponga)(?:$|:| (?=[\w'"]))/;
const SPLIT_INTO = anywhere(`${SPLIT}\\b.{1,120}?\\b(?:into|in|as|em|en)\\b.{0,40}?\\b${STEPS}`);
const BREAK_DOWN = asked("(?:break|quebre)(?: \\S+){0,8}? (?:down|em partes)");
const SPLIT_FIRST = anywhere(`${SPLIT} (?:\\w+ )?(?:into|em|en) (?:\\S+ ){0,3}?${STEPS}`);
const MAKE_PLAN = anywhere(
  `${MAKE} (?:me |us |nos )?(?:an?|the|our|some|um|uma|un|una)? ?(?:[\\w-]+ ){0,3}?${PLAN}`,
);
const PLAN_THE = asked(
  "(?:plan|map out|outline|schedule|planeje|planifica) (?:the|a|an|our|my|how|o|a|el|la)",
);
const WHICH_STEPS = anywhere(
  "(?:list|give|enumerate|show|what|which|walk me through|quais|liste|cuales|enumera|lista)\\b.{0,30}?\\b(?:steps|passos|etapas|pasos)",
);
const STEP_BY_STEP = anywhere(
  "(?:step[- ]by[- ]step,? (?:plan|guide|what|how|instructions)|passo a passo para|paso a paso para)",
);

const OPEN_VERB = asked(
  "(?:review|analy[sz]e|explain|discuss|evaluate|assess|design|refactor|rewrite|write|implement|summari[sz]e|describe|improve|optimi[sz]e|debug|critique|translate|argue|propose|suggest|compare|consider|advise|find the bug|fix|tell me about|help me|give me feedback|recommend|reflect|revise|analise|explique|avalie|compare|descreva|escreva|melhore|sugira|projete|refatore|ajude|revisa|analiza|explica|evalua|compara|describe|escribe|mejora|sugiere|disena|refactoriza|ayudame|corrige)",
);
const OPEN_SUBJECT = anywhere(
  "(?:trade-?offs?|pros and cons|advantages|disadvantages|implications|in depth|risks|factors|reasons|considerations|arguments for|strengths|weaknesses|opinion|do you think|should (?:i|we) consider|makes an? good|(?:might|could|would|may|can) (?:cause|be happening|happen)|how (?:could|would|should|do|does) (?:we|i|you|they|it)|and (?:why|how)|vantagens|desvantagens|ventajas|desventajas|pros e contras|pros y contras|riscos|riesgos|voce acha|opinas)",
);
const OPEN_WHY =
  /^(?:why|por que|porque|how (?:should|would|do|can|could|might|come|to)|como (?:devo|posso|podemos|puedo|podemos|deberia|funciona)\b)/;
const OPEN_BEST = /\bbest (?:way|approach|practices?|strategy|strategies|architecture|design|structure)\b/;
/** "Is our design sound?" wants a judgement, not a fact. */
const OPEN_OURS =
  /\b(?:this|our|my|the) (?:\w+ )?(?:architecture|code|design|plan|strategy|approach|implementation|solution|policy|company|decision)\b/;

const YES_NO = /\b(?:true or false|yes or no|verdadeiro ou falso|sim ou nao|verdadero o falso|si o no)\b/;
const COMPUTE = asked(
  "(?:calculate|compute|convert|solve|evaluate|name|pick|choose|select|count|round|simplify|calcule|converta|resolva|escolha|calcula|convierte|resuelve|elige|escoge)",
);
const BEST =
  /^(?:(?:what|which)(?:'s| is| are)? (?:the )?)?(?:single )?(?:best|top|most popular|fastest)\b|^(?:qual|quais|cual) (?:e |es |a |o |la |el )+(?:melhor|mejor)\b/;
const WH =
  /^(?:(?:in|on|at|from|for|to|by|of|em|de|en|a) )?(?:what|who|whom|whose|when|where|which|how (?:many|much|old|tall|long|far|big|large|high|deep|fast|often|wide|heavy)|qual|quais|quem|quando|onde|quant[oa]s?|que|cual|cuales|quien|cuando|donde|cuant[oa]s?)\b/;
const POLAR =
  /^(?:is|are|was|were|am|does|do|did|has|have|had|can|could|will|would|should|must|may|e|sao|foi|existe|pode|posso|devo|es|son|fue|hay|puede|puedo|debo|tiene)\b/;

const isOpen = (p: PromptView) =>
  OPEN_SUBJECT.test(p.text) || OPEN_WHY.test(p.text) || OPEN_OURS.test(p.text) || p.questions > 1;
const isShortQuestion = (p: PromptView, mostWords: number) =>
  p.text.endsWith("?") && p.questions === 1 && p.words <= mostWords && !p.hasCode && !isOpen(p);

export const ROUTING_RULES: readonly RoutingRule[] = [
  { name: "plan.decompose", tool: "decompose_task", fits: (p) => DECOMPOSE.test(p.text) },
  {
    name: "plan.split",
    tool: "decompose_task",
    fits: (p) => SPLIT_INTO.test(p.text) || SPLIT_FIRST.test(p.text) || BREAK_DOWN.test(p.text),
  },
  { name: "plan.make", tool: "decompose_task", fits: (p) => MAKE_PLAN.test(p.text) || PLAN_THE.test(p.text) },
  {
    name: "plan.steps",
    tool: "decompose_task",
    fits: (p) => WHICH_STEPS.test(p.text) || STEP_BY_STEP.test(p.text),
  },
  { name: "open.code", tool: "consult_council", fits: (p) => p.hasCode && p.choices === 0 },
  { name: "open.long", tool: "consult_council", fits: (p) => p.chars > LONG_CHARS },
  { name: "choice.yes_no", tool: "solve_with_voting", fits: (p) => YES_NO.test(p.text) },
  { name: "open.verb", tool: "consult_council", fits: (p) => OPEN_VERB.test(p.text) },
  {
    name: "choice.options",
    tool: "solve_with_voting",
    fits: (p) => p.choices >= 2 && !OPEN_SUBJECT.test(p.text) && !OPEN_WHY.test(p.text) && p.questions <= 1,
  },
  { name: "open.best_way", tool: "consult_council", fits: (p) => OPEN_BEST.test(p.text) },
  {
    name: "choice.best",
    tool: "solve_with_voting",
    fits: (p) => BEST.test(p.text) && p.words <= 30 && !isOpen(p),
  },
  {
    name: "fact.compute",
    tool: "solve_with_voting",
    fits: (p) => COMPUTE.test(p.text) && p.words <= 30 && !isOpen(p),
  },
  {
    name: "fact.question",
    tool: "solve_with_voting",
    fits: (p) => WH.test(p.text) && isShortQuestion(p, 30),
  },
  {
    name: "fact.yes_no",
    tool: "solve_with_voting",
    fits: (p) => POLAR.test(p.text) && isShortQuestion(p, 25),
  },
  { name: "fact.short_question", tool: "solve_with_voting", fits: (p) => isShortQuestion(p, 12) },
];
