/**
 * The words the routing rules know, in English, Portuguese, Spanish, German and French, lower case and without accents. Japanese
 * and Chinese have patterns of their own below. In a list a blank
 * separates alternatives and an underscore stands for a blank; each alternative is a regular expression.
 */
const any = (...lists: readonly string[]) =>
  `(?:${lists.join(" ").replaceAll(" ", "|").replaceAll("_", " ")})`;

const anywhere = (source: string) => new RegExp(String.raw`\b${source}\b`);
const atStart = (source: string) => new RegExp(String.raw`^${source}\b`);
/** As a request: at the start of the prompt or a sentence, also after "please", "can you" and the like. */
const request = (source: string) =>
  new RegExp(
    String.raw`(?:^|[.!?:;,] |\b(?:please|and|then|to|you|help me|por favor|e|y) )(?:me )?${source}\b`,
  );

const STEPS = any(
  "steps tasks sub-?tasks tickets stories milestones phases sprints stages checklist to-?do_list sequence_of",
  "pull_requests commits chunks pieces work_items passos etapas tarefas sub-?tarefas fases pasos tareas sub-?tareas",
  "schritte schritten aufgaben teilaufgaben arbeitspakete etappen phasen etapes taches sous-taches",
);
const PLAN = any(
  "plan roadmap road_map checklist to-?do_list task_list list_of_tasks work_breakdown",
  "plano roteiro cronograma lista_de_tarefas hoja_de_ruta lista_de_tareas",
  "fahrplan zeitplan ablaufplan aufgabenliste checkliste feuille_de_route liste_de_taches",
);
const SPLIT = any(
  "break split divide separate turn cut slice structure organi[sz]e",
  "quebre quebrar divida dividir separe separa desmembre desglosa desglose",
  "teile zerlege gliedere unterteile divise divisez decoupe decoupez scinde",
);
const MAKE = any(
  "create make write draft outline prepare build give need want like propose suggest develop produce generate come_up_with",
  "crie criar faca elabore monte sugira gere preciso_de crea haz elabora prepara genera traza necesito",
  "erstelle erstell mach mache erarbeite entwirf entwickle brauche cree creez fais faites etablis redige",
);
const INTO = any("into in as em en dans");
/** What is split in programs and at dinner, not in plans. */
const THING = any("strings? arrays? lists? files? texts? numbers? bills? words? columns? vectors?");

/** Not followed by a stop: "how long do leaves take to decompose," is about leaves. */
export const DECOMPOSE =
  /\b(?:decompose|decomponha|decompor|descompon|descomponer|descomponga|zerlege|decomposez)(?:$|:| (?=[\w'"]))/;
export const SPLIT_INTO = request(
  `${SPLIT}(?! (?:an?|the|my|this) ${THING})\\b.{0,120}?\\b${INTO} (?:\\S+ ){0,4}?${STEPS}`,
);
export const BREAK_DOWN = request("(?:break|quebre)(?: \\S+){0,8}? (?:down|em partes)");
export const MAKE_PLAN = anywhere(
  `${MAKE} (?:me |us |nos )?(?:an?|the|our|some|um|uma|un|una|einen?|mir|une|moi)? ?(?:[\\w-]+ ){0,3}?${PLAN}`,
);
export const PLAN_THE = request(
  `${any("plan map_out outline schedule sequence planeje planifica plane planifie planifiez")} ${any("the an? our my how o a el la den die das eine?n? le les l'\\w+")}`,
);
export const WHICH_STEPS = anywhere(
  `${any("list give enumerate show what which walk_me_through quais liste cuales enumera lista welche nenne quelles enumere listez")}\\b.{0,30}?\\b${any("steps passos etapas pasos schritte etapes")}`,
);
export const LIST_TASKS = request(
  `${any("list enumerate liste enumera nenne")} .{0,20}?${any("tasks tarefas tareas aufgaben taches")}`,
);
export const STEP_BY_STEP = anywhere(
  any("step[-_]by[-_]step,?_(?:plan|guide|what|how|instructions)", "passo_a_passo_para paso_a_paso_para"),
);

/** Verbs that ask for a text, a judgement or a piece of work. */
export const OPEN_VERB = request(
  any(
    "review analy[sz]e explain discuss evaluate assess design refactor rewrite write implement summari[sz]e describe",
    "improve optimi[sz]e debug critique translate argue propose suggest compare consider advise recommend reflect revise",
    "find_the_bug fix tell_me help_me give_me draft generate prove check show_me imagine act_as pretend",
    "analise explique avalie compare descreva escreva melhore projete refatore ajude",
    "revisa analiza explica explicame evalua compara escribe mejora sugiere disena refactoriza ayudame corrige resume",
    "revise resuma sugira traduza reescreva redija",
    "uberprufe prufe erklare vergleiche analysiere schreibe fasse schlage bewerte beschreibe verbessere entwirf hilf ubersetze diskutiere",
    "relis relisez expliquez comparez analyse analysez ecris ecrivez redige resumez propose proposez evalue ameliore decris traduis aide-moi",
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
    "vorteile nachteile vor-_und_nachteile risiken haltst_du sollten_wir avantages inconvenients risques penses-tu pensez-vous devrions-nous",
  ),
);
/** Questions after a reason, a way or a list. */
export const OPEN_QUESTION = atStart(
  any(
    "why how_(?:should|would|can|could|might|come|to|does|did|is|are) how_do_(?!you_(?:say|spell|pronounce))\\w+",
    "what_are_(?!the_(?:odds|chances)) what_makes por_que porque como_\\w+ quais_sao cuales_son",
    "warum wieso weshalb wie_(?:konnen|konnte|soll|sollte|sollten|kann|funktioniert|mache|macht)_\\w+ was_sind pourquoi comment_\\w+ quels_sont quelles_sont",
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
  any(
    "true_or_false yes_or_no verdadeiro_ou_falso sim_ou_nao verdadero_o_falso si_o_no",
    "wahr_oder_falsch ja_oder_nein vrai_ou_faux oui_ou_non",
  ),
);
/** "Answer with the number only", "reply in one word": the form of the answer is said, and it is short. */
export const TERSE = anywhere(
  `${any("answer reply respond output return print")}(?: only| just)? (?:with|in|as)? ?(?:only |just |exactly )?(?:the |an? |one |your )?(?:single |final |correct )?${any(
    "number word name letter digit date year integer value option label category answer integer",
  )}(?: only\\b| alone\\b|(?=[.:,;!]|$))`,
);
/** "Answer with the name of the city only", "… with nothing else": after a question, whose answer is then short. */
export const BARE =
  /\b(?:answer|reply|respond)(?: only| just)? with (?:nothing else|nothing but |only |(?:the |its |a )?[\w' ]{1,40} (?:only|alone)(?=[.!,;:]|$))/;
/** 'Is this review positive or negative? "…"' */
export const OF_MATERIAL = /^(?:is|are|was) (?:this|the) [\w' ,]{1,80} or [\w' ]{1,30}\? ?["“«]/;
/** "Classify this review as positive or negative: …" */
export const CLASSIFY =
  /^(?:please )?(?:classify|categori[sz]e|label|tag)\b.{0,300}? (?:as|into|in|to) .{1,200}? or /;
/** "Extract the date from: …"; to extract a module into a file is work, not a value. */
export const EXTRACT =
  /^(?:please )?extract (?!.{0,120}? into )(?:the|all|every|each|any|its?|their|which|what) .{1,200}?(?: from| in| of|:)/;
/** "17 * 23", "what is 2+2?" */
export const ARITHMETIC =
  /^(?:what(?:'s| is) |how much is |calculate |compute )?(?=.{0,60}?\d ?[-+*/x×÷^%] ?[\d(])[\d .,()+*/x×÷^%=-]{3,200}\??$/;
/** Verbs that ask for one value. */
export const COMPUTE = request(
  any(
    "calculate compute convert solve evaluate express find determine name pick choose select count round simplify",
    "calcule converta resolva escolha calcula convierte resuelve elige escoge",
    "berechne rechne wandle lose nenne convertis resous choisis nomme",
  ),
);
export const BEST = atStart(
  `(?:(?:(?:what|which)(?:'s| is| are)? (?:the )?)?(?:single )?(?:best|top|most popular|fastest)|${any("qual quais cual")} (?:e |es |a |o |la |el )+(?:melhor|mejor)|welche[rs]? ist (?:der|die|das) (?:beste|schnellste)|quel(?:le)? est (?:le|la) meilleure?)`,
);
/** Words that begin a question after one fact, also behind a condition: "if …, how many …". */
export const FACT = new RegExp(
  String.raw`(?:^|, )(?:(?:in|on|at|from|for|to|by|of|em|de|en|a) )?${any(
    "what who whom whose when where which how_do_you_(?:say|spell|pronounce)",
    "how_(?:many|much|old|tall|long|far|big|large|high|deep|fast|often|wide|heavy)",
    "qual quais quem quando onde quant[oa]s? que cual cuales quien cuando donde cuant[oa]s?",
    "was wer wen wem wann wo welche[rsnm]? wie_(?:viele?|hoch|lang|lange|alt|gro(?:ß|ss)|weit|tief|schnell|oft|hei(?:ß|ss)t)",
    "qui quand ou combien quel quelle quels quelles",
  )}\b`,
);
/** Words that begin a question after yes or no. */
export const POLAR = atStart(
  any(
    "is are was were am does do did has have had can could will would should must may",
    "e sao foi existe pode posso devo es son fue hay puede puedo debo tiene",
    "ist sind war waren hat haben gibt kann darf muss est-ce y_a-t-il est-il peut-on existe-t-il",
  ),
);
/** "capital of peru", as one types into a search box. */
export const LOOKUP = /^(?!(?:give|show|tell|make|take|get|list|send) )(?=[\w' -]+$).+ (?:of|de|da|do|del) ./;

/** Japanese and Chinese, as written: without blanks between words, a sign anywhere tells. */
export const CJK_PLAN =
  /分解|分割し|(?:ステップ|段階|タスク)に(?:分|す)|手順|段階的に|計画を(?:立|作|策定|教)|ロードマップ|チェックリスト|拆(?:分|解|成)|步骤|步驟|制定.{0,30}(?:计划|計劃|方案)|(?:路线|路線)[图圖]|(?:列|做|写).{0,12}(?:清单|清單)|一步一步|分(?:成|为)(?:几|多)?个?(?:阶段|任务)/u;
export const CJK_OPEN =
  /レビュー|説明|比較|分析|評価|メリット|なぜ|どうして|どうすれば|どのように|どうやって|どう思|書いて|要約|翻訳|提案|改善|違い|设计|設計|审查|審查|解释|解釋|说明|說明|比较|优缺点|優缺點|为什么|為什麼|如何|怎么|怎麼|怎样|觉得|覺得|看法|[写寫]一|总结|總結|翻译|翻譯|改进|改進|建议|建議|区别|區別/u;
export const CJK_FACT =
  /どこ|いくつ|いくら|誰|だれ|いつ|何|どれ|どの|ですか|ますか|計算|求め|多少|几|幾|谁|哪|什么|什麼|吗|嗎|多高|多长|多長|多大|多远|计算|計算|等于|是不是/u;
