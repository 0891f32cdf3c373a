/**
 * Checks of text that a language model will read: whether it addresses the model, and whether it carries an address.
 * The filter stops the templates in circulation, not a determined author; the main defence is that operator text appears
 * in its own fields only. Every quantifier is bounded, so the time is linear.
 */
export function addressesAssistant(text: string): boolean {
  const folded = fold(text);
  if (CHAT_MARKUP.some((pattern) => pattern.test(folded))) return true;
  const words = folded.replace(/[^\p{L}\p{N}]+/gu, ' ');
  return INSTRUCTIONS.some((pattern) => pattern.test(words));
}

export function carriesAddress(text: string): boolean {
  const folded = fold(text);
  return ADDRESSES.some((pattern) => pattern.test(folded));
}

const CHAT_MARKUP = [
  /<\|/,
  /\|>/,
  /\[\/?(?:inst|system|sys)\]/,
  /<<\/?sys>>/,
  /#{2,} ?(?:system|instruction|assistant|user)\b/,
  /^ ?(?:system|assistant|developer|user) ?: /,
  /["']?role["']? ?: ?["']?(?:system|assistant|developer)/,
];

const MODEL =
  '(?:ai|llm|llms|chatbot|chatbots|chatgpt|gpt|claude|gemini|copilot|language models?|ai (?:assistants?|agents?|models?|systems?))';

/** Matched against lower-case words with single spaces between them. */
const INSTRUCTIONS = [
  /\b(?:ignore|disregard|forget|override|bypass|overrule) (?:[\p{L}\p{N}]{1,20} ){0,4}(?:instructions?|prompts?|rules|guidelines|directives?|directions|context|constraints|messages)\b/u,
  /\b(?:ignore|disregard|forget) (?:everything|anything|all|what) (?:[\p{L}\p{N}]{1,20} ){0,3}(?:above|before|previous|previously|prior|earlier|told)\b/u,
  /\b(?:ignor\p{L}{0,5}|olvid\p{L}{0,3}|oubli\p{L}{0,3}|vergiss|vergesst|dimentica\p{L}{0,2}|esquec\p{L}{0,3}) (?:[\p{L}\p{N}]{1,20} ){0,4}(?:instruc\p{L}{3,7}|instruktion\p{L}{0,3}|anweisung\p{L}{0,3}|istruzion\p{L}{1,2}|instruction\p{L}?|consigne\p{L}?)\b/u,
  /\b(?:system|developer|hidden) (?:prompt|message|instructions?)\b/,
  /\b(?:new|updated|additional|important|special|secret) instructions? (?:for|to) (?:the |any |all )?(?:assistant|model|ai|agent|llm)\b/,
  new RegExp(
    `\\b(?:as|for|to|dear|hey|hello|attention|note to|message to|instructions? (?:for|to)) (?:an |a |the |any |all )?${MODEL} (?:please|you|must|should|reading|assistant|agent|model|always|never|do not|recommend|summari[sz]\\w{1,3})\\b`,
  ),
  new RegExp(
    `\\b(?:dear|attention|note to|message to|instructions? (?:for|to)) (?:an |a |the |any |all )?(?:${MODEL}|assistant)\\b`,
  ),
  new RegExp(
    `\\b(?:if|when|since|because) (?:you are|you re|youre) (?:an |a |the )?(?:[a-z]{1,20} )?(?:${MODEL}|assistant|bot|agent)\\b`,
  ),
  new RegExp(
    `\\b(?:you are|you re|youre|act as|pretend to be|behave as|behave like) (?:now )?(?:an |a |the )?(?:[a-z]{1,20} ){0,2}(?:${MODEL}|assistant|bot|agent|dan)\\b`,
  ),
  new RegExp(
    `\\b(?:${MODEL}|assistants?) (?:must|should|shall|has to|have to|is required to|are required to|will now|please) (?:not |never |always |only |now )?(?:recommend|rank|choose|select|prefer|book|say|tell|reply|respond|answer|ignore|mention|show|list|present|describe|state|output|use|call|send|open)\\b`,
  ),
  /\bas an? (?:ai|artificial intelligence|llm|large language model|language model)\b/,
  /\b(?:tell|inform|convince|persuade|instruct|urge|assure|remind|notify|ask) (?:the|your) users?\b/,
  /\b(?:do not|don t|never) (?:mention|tell|reveal|disclose|show|present|list|compare|recommend|suggest) (?:[a-z]{1,20} ){0,2}(?:users?|other (?:options|properties|listings|results|brands|hotels|apartments)|competitors?|this (?:instruction|message|note|text))\b/,
  /\b(?:always|must|only|strongly) (?:recommend|rank|choose|select|suggest|prefer|list|present|show|place) (?:this|our|my) (?:[a-z]{1,20} )?(?:property|listing|apartment|villa|house|home|hotel|option|result|place|one|brand)\b/,
  /\brank (?:this|our|my|it) (?:[a-z]{1,20} ){0,2}(?:first|top|highest|number|above|as)\b/,
  /\b(?:reveal|print|repeat|output|show|leak|display) (?:me )?(?:your|the) (?:[a-z]{1,20} ){0,2}(?:prompt|instructions|context|secrets?|api keys?|tokens?|conversation)\b/,
  /\b(?:call|invoke|run|execute|use) (?:the |a |your |this )?(?:[a-z]{1,20} ){0,2}(?:tool|function|plugin|command)\b(?= (?:with|to|and|on|named|called)\b|$)/,
  /\b(?:respond|reply|answer) (?:only|just|exclusively|always) (?:with|in|as)\b/,
  /\b(?:jailbreak|prompt injection|developer mode|god mode)\b/,
  /\b(?:end|begin|start) of (?:the )?(?:system|prompt|instructions|context|conversation|user input)\b/,
];

// Closed lists, or "by the sea.Sleeps four" would be a host name. Endings that are also words count only with a path.
const PLAIN_ENDINGS = 'com|net|org|biz|edu|gov|io|co|app|dev|ai|xyz|eu|ly|gg|cc';
const WORD_ENDINGS =
  'info|site|online|shop|store|website|web|travel|rentals|rent|holiday|villas|apartments|house|homes|click|link|live|page|club|top|tv|uk|us|ca|mx|br|ar|cl|pt|es|fr|de|it|nl|be|ch|at|ie|gr|tr|hr|pl|cz|se|no|fi|dk|is|me|to|ru|jp|cn|in|au|nz|za';

const ADDRESSES = [
  /\b[a-z][a-z0-9+.-]{1,20}:\/\//,
  /(?:^|[^a-z0-9])\/\/[a-z0-9-]{1,63}\./,
  /\bwww ?\. ?[a-z0-9]/,
  /\b(?:mailto|javascript|vbscript|sms|whatsapp):/,
  /\bdata:[a-z]{1,20}\//,
  new RegExp(`[\\p{L}\\p{N}-]{1,63}\\.(?:${PLAIN_ENDINGS})(?![\\p{L}\\p{N}-])`, 'u'),
  new RegExp(`[\\p{L}\\p{N}-]{1,63}\\.(?:${WORD_ENDINGS})(?::\\d{2,5})?/[\\p{L}\\p{N}]`, 'u'),
  /[^\s@]@[^\s@.]{1,63}\.[^\s@.]/,
  /[([{] ?(?:at|arroba) ?[)\]}]/,
  /[([{] ?dot ?[)\]}]/,
  /\bdot (?:com|net|org|io)\b/,
  /\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?::\d|\/)/,
  /\bxn--[a-z0-9]/,
];

// Letters of other scripts that look like Latin ones. Folded for the check only, never for display.
const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  Array.from('аaеeоoрpсcуyхxіiјjѕsԁdһhӏlԛqԝwαaοoιiνvρpτtυuκkεeɡgıi').flatMap((letter, index, all) =>
    index % 2 === 0 ? [[letter, all[index + 1] ?? letter] as const] : [],
  ),
);
const LOOKALIKE = new RegExp(`[${[...LOOKALIKES.keys()].join('')}]`, 'gu');

// One character can decompose into eighteen. No displayed text comes near this length, so all of it is checked.
const MAX_FOLDED_LENGTH = 60_000;

/** Lower case without accents, full-width forms or look-alike letters. */
function fold(text: string): string {
  return text
    .normalize('NFKD')
    .slice(0, MAX_FOLDED_LENGTH)
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(LOOKALIKE, (letter) => LOOKALIKES.get(letter) ?? letter)
    .replace(/[。․‧・]/gu, '.')
    .replace(/[’‘`´]/g, "'")
    .replace(/\s+/g, ' ');
}
