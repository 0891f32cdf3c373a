const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Before which a name goes on without a blank. */
const ABBREVIATION = /\b(?:ste?|st[ao]|mt|ft)\./giu;
/** Single letters have a dot between them too: D.C. */
const DOT_IN_A_WORD = /[\p{L}\p{N}\p{M}]{2}[.。][\p{L}\p{N}\p{M}]{2}/u;
/** Towns with two names have one slash between them, and no dot: Biel/Bienne. */
const PATH = /\/.*\/|\p{L}\.\p{L}\S*\/|\/\S*\p{L}\.\p{L}/su;
const NEVER_IN_A_NAME = /[@_\\]/u;
const ESCAPED_SIGN = /%u[0-9a-f]|&#|&\w+;/iu;
const SIGN_IN_BRACKETS = /[([{<]\s*(?:a|ä|at|ät|arroba|dot|punkt|punto)\s*[)\]}>]/iu;

const WORD = /[\p{L}\p{M}]+/gu;
/** After which a capital may stand inside a word: McAllen, LaSalle, KwaZulu, and as Irish and Zulu change the beginning of a name. */
const BEFORE_A_CAPITAL = /^(?:Ma?c|De[ls]?|Di|Du|Las?|Les?|Los|Van|Von|Fitz|Kwa|\p{Ll}{1,2})(?=\p{Lu})/u;
const CAPITAL_INSIDE = /\p{Ll}\p{Lu}/u;

/** How signs and capitals stand in addresses of mail and the web, and in keys, but in no name of a place. A text in the form NFKC. */
export function isAddressOrSecret(text: string): boolean {
  const visible = text.replace(INVISIBLE, '');
  return (
    [NEVER_IN_A_NAME, ESCAPED_SIGN, SIGN_IN_BRACKETS, PATH].some((sign) => sign.test(visible)) ||
    DOT_IN_A_WORD.test(visible.replace(ABBREVIATION, ' ')) ||
    (visible.match(WORD) ?? []).some((word) => CAPITAL_INSIDE.test(withoutPrefix(word)))
  );
}

function withoutPrefix(word: string): string {
  return word.replace(BEFORE_A_CAPITAL, '');
}
