/**
 * The words the routing rules know, in English, Portuguese and Spanish, lower case and without accents. In a list a blank
 * separates alternatives and an underscore stands for a blank; each alternative is a regular expression.
 */
const any = (...lists: readonly string[]) =>
  `(?:${lists.join(" ").replaceAll(" ", "|").replaceAll("_", " ")})`;

const anywhere = (source: string) => new RegExp(String.raw`\b${source}\b`);
const atStart = (source: string) => new RegExp(String.raw`^${source}\b`);
/** As a request: at the start of the prompt or a sentence, also after "please", "can you" and the like. */
const asked = (source: string) =>
  new RegExp(
    String.raw`(?:^|[.!?:;,] |\b(?:please|and|then|to|you|help me|por favor|e|y) )(?:me )?${source}\b`,
  );

const STEPS = any(
  "steps tasks sub-?tasks tickets stories milestones phases sprints stages checklist to-?do_list sequence_of",
  "pull_requests commits chunks pieces work_items passos etapas tarefas sub-?tarefas fases pasos tareas sub-?tareas",
);
const PLAN = any(
  "plan roadmap road_map checklist to-?do_list task_list list_of_tasks work_breakdown",
  "plano roteiro cronograma hoja_de_ruta",
);
const SPLIT = any(
  "break split divide separate turn cut slice structure organi[sz]e",
  "quebre quebrar divida dividir separe separa desmembre desglosa desglose",
);
const MAKE = any(
  "create make write draft outline prepare build give need want like propose suggest develop produce generate come_up_with",
  "crie criar faca elabore monte sugira gere preciso_de crea haz elabora prepara genera traza necesito",
);
const INTO = any("into in as em en");
/** What is split in programs and at dinner, not in plans. */
const THING = any("strings? arrays? lists? files? texts? numbers? bills? words? columns? vectors?");

/** Not followed by a stop: "how long do leaves take to decompose," is about leaves. */
export const DECOMPOSE =
  /\b(?:decompose|decomponha|decompor|descompon|descomponer|descomponga)(?:$|:| (?=[\w'"]))/;
export const SPLIT_INTO = asked(
  `${SPLIT}(?! (?:an?|the|my|this) ${THING})\\b.{0,120}?\\b${INTO} (?:\\S+ ){0,4}?${STEPS}`,
);
export const BREAK_DOWN = asked("(?:break|quebre)(?: \\S+){0,8}? (?:down|em partes)");
export const MAKE_PLAN = anywhere(
  `${MAKE} (?:me |us |nos )?(?:an?|the|our|some|um|uma|un|una)? ?(?:[\\w-]+ ){0,3}?${PLAN}`,
);
export const PLAN_THE = asked(
  `${any("plan map_out outline schedule sequence planeje planifica")} ${any("the an? our my how o el la")}`,
);
export const WHICH_STEPS = anywhere(
  `${any("list give enumerate show what which walk_me_through quais liste cuales enumera lista")}\\b.{0,30}?\\b${any("steps passos etapas pasos")}`,
);
export const LIST_TASKS = asked(
  `${any("list enumerate liste enumera")} .{0,20}?${any("tasks tarefas tareas")}`,
);
export const STEP_BY_STEP = anywhere(
  any("step[-_]by[-_]step,?_(?:plan|guide|what|how|instructions)", "passo_a_passo_para paso_a_paso_para"),
);

/** Verbs that ask for a text, a judgement or a piece of work. */
export const OPEN_VERB = asked(
  any(
    "review analy[sz]e explain discuss evaluate assess design refactor rewrite write implement summari[sz]e describe",
    "improve optimi[sz]e debug critique translate argue propose suggest compare consider advise recommend reflect revise",
    "find_the_bug fix tell_me help_me give_me draft generate prove check show_me imagine act_as pretend",
    "analise explique avalie compare descreva escreva melhore projete refatore ajude",
    "revisa analiza explica explicame evalua compara escribe mejora sugiere disena refactoriza ayudame corrige",
  ),
);
/** What has no one answer, wherever it stands. */
export const OPEN_SUBJECT = anywhere(
  any(
    "trade-?offs? pros_and_cons advantages disadvantages implications in_depth risks factors reasons considerations",
    "arguments_for strengths weaknesses opinion do_you_think makes_an?_good cause ways ideas tips mistakes advise",
    "(?:go|goes|went)_wrong learn_from happens_(?:when|if) look_for_in would_you(?!_(?:use|pick|choose|prefer|take)) should_(?:i|we)_consider",
    "what_(?:should|could|can)_(?:we|i|our|my|the|an?) (?:might|could|would|may|can)_(?:cause|be_happening|happen)",
    "how_(?:could|would|should|do|does)_(?:we|i|you|they|it)(?!_(?:say|spell|pronounce)) and_(?:why|how)",
    "vantagens desvantagens pros_e_contras riscos voce_acha cuidados devemos",
    "ventajas desventajas pros_y_contras riesgos opinas deberiamos",
  ),
);
/** Questions after a reason, a way or a list. */
export const OPEN_QUESTION = atStart(
  any(
    "why how_(?:should|would|can|could|might|come|to|does|did|is|are) how_do_(?!you_(?:say|spell|pronounce))\\w+",
    "what_are_(?!the_(?:odds|chances)) what_makes por_que porque como_\\w+ quais_sao cuales_son",
  ),
);
export const OPEN_BEST = anywhere(
  `best ${any("way approach practices? strategy strategies architecture design structure")}`,
);
/** "Is our design sound?" wants a judgement, not a fact. */
export const OPEN_OURS = anywhere(
  `(?:for us|(?:this|our|my) (?:\\w+ )?${any("architecture code design plan strategy approach implementation solution policy company decision")})`,
);

export const YES_NO = anywhere(
  any("true_or_false yes_or_no verdadeiro_ou_falso sim_ou_nao verdadero_o_falso si_o_no"),
);
/** Verbs that ask for one value. */
export const COMPUTE = asked(
  any(
    "calculate compute convert solve evaluate express find determine name pick choose select count round simplify",
    "calcule converta resolva escolha calcula convierte resuelve elige escoge",
  ),
);
export const BEST = atStart(
  `(?:(?:(?:what|which)(?:'s| is| are)? (?:the )?)?(?:single )?(?:best|top|most popular|fastest)|${any("qual quais cual")} (?:e |es |a |o |la |el )+(?:melhor|mejor))`,
);
/** Words that begin a question after one fact, also behind a condition: "if …, how many …". */
export const FACT = new RegExp(
  String.raw`(?:^|, )(?:(?:in|on|at|from|for|to|by|of|em|de|en|a) )?${any(
    "what who whom whose when where which how_do_you_(?:say|spell|pronounce)",
    "how_(?:many|much|old|tall|long|far|big|large|high|deep|fast|often|wide|heavy)",
    "qual quais quem quando onde quant[oa]s? que cual cuales quien cuando donde cuant[oa]s?",
  )}\b`,
);
/** Words that begin a question after yes or no. */
export const POLAR = atStart(
  any(
    "is are was were am does do did has have had can could will would should must may",
    "e sao foi existe pode posso devo es son fue hay puede puedo debo tiene",
  ),
);
/** "capital of peru", as one types into a search box. */
export const LOOKUP =
  /^(?!(?:give|show|tell|make|take|get|list|send) )[\w' -]+ (?:of|de|da|do|del) [\w' -]+$/;
