/**
 * Whether a text refuses to answer. "Unknown", "it depends" and "cannot be determined" are answers; so is a long text that only
 * begins with an apology.
 */
export function isRefusal(text: string): boolean {
  const start = text.trim().replace(/^["'“”«*_>#\s]+/, "");
  if (start.length > MAX_REFUSAL_CHARS) return false;
  return REFUSALS.some((pattern) => pattern.test(start.slice(0, 200))) || BREAKS_OFF.test(start.slice(-200));
}

/** A refusal is short; a text beyond this length has something to say. */
const MAX_REFUSAL_CHARS = 700;

/** One that begins to answer, and ends with a refusal. */
const BREAKS_OFF =
  /(?:[.!?…:]\s|\n|\d\.\s)(?:i['’]m|i am) sorry,? but i (?:can['’]?t|cannot|won['’]?t|am unable to) (?:help|assist|continue|comply|fulfil|complete|proceed)\b[^.!?\n"”]{0,60}[.!]?\s*$/i;

/** How models refuse, by language. A new language is one more line. */
const REFUSALS: readonly RegExp[] = [
  // English
  /^(?:(?:i['’]?m|i am|we['’]re)(?: \w+)? (?:sorry|afraid)|sorry|i apologi[sz]e|my apologies|unfortunately)\b[,.:;!]*(?: for (?:any|the) \w+)?[,.]? ?(?:but )?(?:as an? (?:ai|language)|(?:i|we)(?:['’]?m| am| are)? (?:can['’]?t|cannot|can not|won['’]?t|will not|do(?:n['’]t| not) feel comfortable|unable|not able|not comfortable|must decline|not allowed)|(?:that|this)(?:['’]s| is) (?:something|not something|against|beyond))/i,
  /^(?:i|we) (?:can['’]?t|cannot|can not|won['’]?t|will not|am not able to|['’]m not able to|am unable to|must (?:respectfully )?decline|decline) ?(?:to )?(?:help|assist|comply|answer|respond|provide|fulfil|discuss|engage|do (?:that|this)|support|participate|generate|create|write|produce|share|complete (?:this|that)|continue with|process)/i,
  /^i['’]m (?:unable|not able|not allowed|not comfortable|programmed not) (?:to )?(?:help|assist|comply|answer|respond|provide|fulfil|discuss|engage|do (?:that|this)|generate|create|write|produce|share|with)/i,
  /^as an? (?:ai\b|artificial intelligence|large language model|language model)/i,
  /^i['’]m (?:just |only )?an? (?:ai\b|(?:large )?language model)/i,
  // "…, but as of my last update …" is an answer.
  /^i (?:currently )?do(?:n['’]t| not) have (?:(?:direct |live )?access to (?:real-time|the internet|live|current)|real-time (?:data|information)|the (?:ability|capability) to)(?!.*\b(?:but|however|as of)\b)/i,
  /^(?:i must|i have to|i need to) (?:respectfully )?(?:decline|refuse)/i,
  // Spanish
  /^(?:lo siento|lo lamento|disculpa|perdona|lamentablemente|me temo que)[,.:;]?[^.]{0,40}?(?:no puedo|no me es posible|no estoy autorizad|no soy capaz)/i,
  /^no puedo (?:ayudar|asistir|responder|proporcionar|cumplir|hacer eso|participar|generar|crear)/i,
  /^como (?:un |una )?(?:modelo de lenguaje|ia\b|inteligencia artificial|modelo de ia)/i,
  // Portuguese
  /^(?:desculpe|desculpa|sinto muito|lamento|infelizmente)[,.:;]?[^.]{0,40}?(?:não posso|não consigo|não me é possível|não estou autorizad)/i,
  /^não (?:posso|consigo) (?:ajudar|auxiliar|responder|fornecer|cumprir|fazer isso|participar|gerar|criar|atender)/i,
  /^como (?:um |uma )?(?:modelo de linguagem|ia\b|inteligência artificial|modelo de ia)/i,
  // French
  /^(?:(?:je suis )?désolée?|je regrette|malheureusement|je m['’]excuse)[,.:;]?[^.]{0,40}?je ne (?:peux|suis|pourrai)/i,
  /^je ne (?:peux|suis) pas (?:en mesure (?:de|d['’])|capable (?:de|d['’])|autorisée? à)? ?(?:vous )?(?:aider|assister|répondre|fournir|faire cela|participer|générer|créer)/i,
  /^en tant qu['’](?:ia\b|intelligence artificielle|un modèle|une ia|assistant)/i,
  // German
  /^(?:(?:es )?tut mir (?:sehr )?leid|entschuldigung|leider|ich bedauere)\b[,.:;]?[^.]{0,40}?(?:kann|darf|könnte|bin)\b[^.]{0,80}?\b(?:nicht|keine?n?|nicht in der lage)\b/i,
  /^ich (?:kann|darf) (?:(?:dir|ihnen|euch|dabei|damit|das|diese\w*|hier|leider) )*(?:nicht|keine?n?) (?:\w+ )*?(?:helfen|beantworten|unterstützen|weiterhelfen|bereitstellen|erfüllen|nachkommen|tun|auskunft)/i,
  /^als (?:ki\b|künstliche intelligenz|sprachmodell|ein sprachmodell|ki-)/i,
  // Italian
  /^(?:mi dispiace|spiacente|purtroppo|mi scuso)[,.:;]?[^.]{0,40}?non (?:posso|sono in grado)/i,
  /^non posso (?:aiutart|aiutare|assistere|rispondere|fornire|soddisfare)/i,
  /^(?:come|in quanto) (?:modello linguistico|ia\b|intelligenza artificiale|un modello)/i,
  // Dutch
  /^(?:het spijt me|sorry|helaas)[,.:;]?[^.]{0,40}?\bik kan\b[^.]{0,60}?\b(?:niet|geen)\b/i,
  /^als (?:ai-|een ai|taalmodel|een taalmodel)/i,
  // Polish
  /^(?:przykro mi|przepraszam|niestety)[,.:;]?[^.]{0,40}?nie (?:mogę|jestem w stanie)/i,
  // Russian
  /^(?:извините|к сожалению|простите|прошу прощения)[,.:;]?[^.]{0,40}?не (?:могу|в состоянии|имею возможности)/i,
  /^(?:я не могу (?:помочь|ответить|предоставить|выполнить)|как (?:языковая модель|ии|искусственный интеллект))/i,
  // Turkish
  /^(?:üzgünüm|özür dilerim|maalesef)[,.:;]?[^.]{0,80}?(?:edemem|yapamam|olamam|veremem|yanıtlayamam)/i,
  // Japanese
  /^(?:申し訳(?:ありません|ございません)|すみません|恐れ入りますが|残念ながら)[^。]{0,60}?(?:できません|できかねます|お答え(?:でき|いたし)|お手伝いでき|対応できない)/,
  /^(?:AI|人工知能|言語モデル|大規模言語モデル)(?:として|アシスタントとして|なので)/i,
  // Chinese
  /^(?:很?抱歉|对不起|對不起|不好意思|非常抱歉)[^。]{0,40}?(?:无法|無法|不能|不可以|没办法)/,
  /^(?:我(?:无法|無法|不能)(?:帮助|协助|提供|回答|满足|協助|幫助)|作为(?:一个|一款|一名)?(?:AI|人工智能|语言模型|大型?语言模型)|作為)/i,
  // Korean
  /^(?:죄송(?:합니다|하지만|해요)|미안)[^.]{0,60}?(?:수 없|못합니다|어렵습니다|드릴 수)/,
  /^(?:저는 )?(?:AI|인공지능|언어 모델)(?:로서|이므로|이기 때문에)/i,
  // Arabic
  /^(?:عذر[اًا]|آسف|أعتذر|للأسف)[^.]{0,60}?(?:لا (?:أستطيع|يمكنني|أقدر)|لست قادر)/,
  // Hindi
  /^(?:मुझे )?(?:क्षमा|माफ़|माफ|खेद)[^।]{0,80}?(?:नहीं कर सकता|नहीं कर सकती|नहीं दे सकता|असमर्थ)/,
];
