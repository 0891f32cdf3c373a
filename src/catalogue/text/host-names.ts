import { foldLookalikes } from './fold-lookalikes.ts';

/**
 * Whether a text names a host, judged by the characters around each dot. `text` is the text to show, because capitals distinguish the start of
 * a sentence from an ending; `folded` is the same without disguises.
 */
export function carriesHostName(text: string, folded: string): boolean {
  return (folded.includes('.') && carriesDottedHost(text, folded)) || carriesHostWithAnotherSign(folded);
}

function carriesDottedHost(text: string, folded: string): boolean {
  return (
    someHost(text, (host) => isHost(host, host.ending === host.ending.toLowerCase())) ||
    (NOT_ASCII.test(text) && someHost(folded, (host) => isHost(host, false))) ||
    (folded.includes(' .') && TORN_HOST.test(folded))
  );
}

/** "evil•com" */
function carriesHostWithAnotherSign(folded: string): boolean {
  return ANOTHER_SIGN.test(folded) && COMMON_ENDING.test(folded) && DOTTED_OTHERWISE.test(folded);
}

/** The same in the path of an address, where words joined by dots are files and functions. */
export function carriesHostNameInPath(said: string, folded: string): boolean {
  return (
    someHost(folded, ({ ending, label }) => hasPlainEnding(ending, label)) ||
    WORD_ENDING_IN_PATH.test(said) ||
    WORD_ENDING_WITH_PATH.test(folded)
  );
}

type DottedPair = {
  /** The last letters before the dot. */
  readonly label: string;
  readonly ending: string;
  readonly after: string;
};

const NOT_ASCII = /[^ -~\n]/;
const DOT_AND_ENDING = /(?<=[\p{L}\p{N}])[.．․﹒]([\p{L}\p{N}\p{M}]{2,24})(?!-?[\p{L}\p{N}\p{M}])/gu;
const LABEL = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}-]+$/u;
/** Long enough to distinguish a word from an abbreviation. */
const LABEL_LOOKED_AT = 16;
const AFTER_LOOKED_AT = 40;

function someHost(text: string, judge: (pair: DottedPair) => boolean): boolean {
  for (const { 0: found, 1: ending = '', index } of text.matchAll(DOT_AND_ENDING)) {
    const label = LABEL.exec(text.slice(Math.max(0, index - LABEL_LOOKED_AT), index))?.[0] ?? '';
    const end = index + found.length;
    if (judge({ label, ending, after: text.slice(end, end + AFTER_LOOKED_AT) })) return true;
  }
  return false;
}

const PATH = /^(?::\d{2,5})?\/[\p{L}\p{N}]/u;
const SMALL_PATH = /^\/[a-z\d]/;
const QUERY = /^\/?\?[\w-]{1,30}=/;
const PORT = /^:\d{4,5}(?![\d:])/;
const SMALL_LATIN = /^[a-z]+$/;
const SMALL_LATIN_LABEL = /^[a-z0-9-]{5,}$/;
/** "45 sq.mt/480 sq.ft", "8min.to the station" */
const UNIT = /^(?:sq|\d+min)$/i;
const HYPHEN_OR_DIGIT = /[-\d]/;
const GOES_ON_AS_PROSE = /^ ?[,;:]? [\p{L}\p{N}]/u;
/** "paysan.ne.s": text between two dots is not an ending. */
const GOES_ON_WITH_A_DOT = /^[.．․﹒][\p{L}\p{N}]/u;
const MIN_LABEL = 4;
/** "priv.garden", "anniv.sale": longer than usual abbreviations. */
const MIN_LABEL_BEFORE_PROSE = 6;

/** `isSmall`: the ending is in lower case. */
function isHost({ label, ending, after }: DottedPair, isSmall: boolean): boolean {
  const folded = foldLookalikes(ending);
  const kind = kindOfEnding(folded);
  if (hasPlainEnding(folded, label)) return true;
  if (UNIT.test(label)) return false;
  if (QUERY.test(after)) return true;
  const isMarked = HYPHEN_OR_DIGIT.test(label);
  if (PATH.test(after)) {
    // An unknown ending.
    if (kind === undefined) return isSmall && SMALL_LATIN.test(ending) && SMALL_LATIN_LABEL.test(label);
    // "P.za/Corso" is a square; "kitchen.Living/dining room" lacks a blank.
    const isLink = label.length > 1 || (isSmall && SMALL_PATH.test(after));
    if (ending.length === 2 ? isLink : kind !== 'prose' || isSmall || isMarked) return true;
  }
  if (kind === undefined || kind === 'country') return false;
  if (PORT.test(after) && ending.length > 2 && label.length >= MIN_LABEL) return true;
  if (!isSmall || label.length < MIN_LABEL || GOES_ON_WITH_A_DOT.test(after)) return false;
  return (
    kind === 'word' || isMarked || (label.length >= MIN_LABEL_BEFORE_PROSE && !GOES_ON_AS_PROSE.test(after))
  );
}

function hasPlainEnding(folded: string, label: string): boolean {
  const kind = kindOfEnding(folded);
  return kind === 'plain' || (kind === 'country' && label.length > 1 && /\p{L}/u.test(label));
}

/** Well-known endings after a blank, which also joins the fields of a listing. */
const TORN_HOST =
  /(?<=[\p{L}\p{N}]) \. ?(?:c ?o ?m|n ?e ?t|o ?r ?g|i ?n ?f ?o)(?![\p{L}\p{N}])|(?<=[\p{L}\p{N}]) \.(?:vip|xyz|icu|biz|app|online|site|shop|club)(?![\p{L}\p{N}])/u;

/** "apartamento T2,com vista": "com" is also a word for "with", and the next word decides. */
const AFTER_COM = [
  'o|a|os|as|um|uma|vistas?|piscina|acesso|muit[oa]s?|mais|varanda|terraco|jardim|cozinha|quartos?|wi-?fi|ar|garagem',
  'estacionamento|cama|sofa|tod[oa]s?|tudo|excelentes?|otim[oa]|bo[am]|grandes?|lind[oa]|capacidade|dois|duas|tres',
  'elevador|churrasqueira|decoracao|tv|internet|maquina|luz|sol|espaco|patio|sala|lareira|aquecimento|seguranca|conforto|\\d',
].join('|');
const ANOTHER_SIGN = /[·•∙⋅●|*_~,]/;
const COMMON_ENDING = /com|net|org|info/;
const DOTTED_OTHERWISE = new RegExp(
  [
    `(?<=[a-z0-9]{2})(?: ?[·•∙⋅●|*_~] ?|,)com(?![\\p{L}\\p{N}-])(?! (?:${AFTER_COM}))`,
    '(?<=[a-z0-9]{2})[·•∙⋅●|*_~,](?:net|org|info)(?![\\p{L}\\p{N}-])(?! \\p{L})',
  ].join('|'),
  'u',
);

const WORDS_IN_PATH =
  'it|in|is|me|to|at|be|us|de|es|se|no|fi|ca|ar|house|homes|holiday|rent|page|link|live|top|tv|web|click';
const WORD_ENDING_IN_PATH = new RegExp(
  `(?<=[\\p{L}\\p{N}-]{4})\\.(?:${WORDS_IN_PATH})(?![\\p{L}\\p{N}-])`,
  'u',
);
const WORD_ENDING_WITH_PATH = new RegExp(
  `(?:(?<=[\\p{L}\\p{N}])\\.(?:${WORDS_IN_PATH})(?::\\d{2,5})?|(?<=\\/[a-z])\\.[a-z]{2})\\/[\\p{L}\\p{N}]`,
  'u',
);

/** How clearly an ending belongs to a host and not to prose: "by the sea.Sleeps four" lacks a blank, and `sleeps` could be an ending. */
type EndingKind =
  /** Never a word or an abbreviation in a listing. */
  | 'plain'
  /** A country whose letters abbreviate something after a single letter or a number: "P.za", "24.hr". */
  | 'country'
  /** Also a word. A host with it has lower case and a longer label. */
  | 'word'
  /** A word that often starts a sentence about a home, so a host needs more evidence. */
  | 'prose';

function kindOfEnding(folded: string): EndingKind | undefined {
  return KINDS.get(folded);
}

const wordsOf = (block: string) => block.trim().split(/\s+/);

const PLAIN = wordsOf(`
  com net org biz edu gov io co app dev ai xyz eu ly gg cc info site online shop store website travel rentals villas
  apartments club pt fr nl cz jp cn tw hk au nz mx cl tr ie ch uk ru vip icu sbs cfd mobi immo guru cyou fyi wtf lol
`);
const PLAIN_ABROAD = ['рф', 'рус', 'укр', 'бел', '中国', '中國', '한국'];

const COUNTRIES = wordsOf(`
  pl dk kr za br gr hr ae af aq aw ax bf bg bh bj bn bs bt bw bz cf cg ck cw cx cy dz ec ee eg fj fk gb gd gh gi gl gn
  gp gq gt gu gw gy hn ht hu iq jm jo ke kg kh kn kp kw kz lb lc lk lr ls lu lv mk mp mq mv mw mz nc nf ng np pf pg ph
  pk pn pw qa ro rw sb sd sg sj sk sl sn sr sv sx sz tf tg th tj tk tl tm tn tt tz ua ug uy uz vc vg vn vu wf ws zm zw
`);

const IN_PROSE = wordsOf(`
  free you here one now my by so as do la il je si et al ve ne im am er na ma va re ga vi ad ag om nu cu pa pe ci az
  li mr ms st mt mo nr ac pm mm cm km ml mg mn ba bd new open safe total cool best bar cafe pub restaurant spa golf
  taxi bike car cars surf pet family baby kids salon studio video fitness fish pizza shopping city center garden
  living room kitchen maison ski sky fire wine tennis yoga storage health food music radio games movie theater beauty
  phone camera audio cleaning security smart solar energy ice hot green red blue black pink gold silk land town
  country wien tokyo barcelona bcn istanbul amsterdam hamburg brussels boston miami sydney dubai taipei kyoto osaka
  okinawa koeln cologne bayern tirol corsica next show post rest run fly man men mom dad day date love like work works
  how got moi uno mit ist nico vivo legal call support help trust business art school church hospital bank museum sale
  university market gallery
`);

/** The root zone in Latin letters (IANA, version 2026051600), and two more that people use. */
const ALL = wordsOf(`
  hotel web aaa aarp abb abbott abbvie abc able abogado abudhabi ac academy accenture accountant accountants aco actor
  ad ads adult ae aeg aero aetna af afl africa ag agakhan agency ai aig airbus airforce airtel akdn al alibaba alipay
  allfinanz allstate ally alsace alstom am amazon americanexpress americanfamily amex amfam amica amsterdam analytics
  android anquan anz ao aol apartments app apple aq aquarelle ar arab aramco archi army arpa art arte as asda asia
  associates at athleta attorney au auction audi audible audio auspost author auto autos aw aws ax axa az azure ba
  baby baidu banamex band bank bar barcelona barclaycard barclays barefoot bargains baseball basketball bauhaus bayern
  bb bbc bbt bbva bcg bcn bd be beats beauty beer berlin best bestbuy bet bf bg bh bharti bi bible bid bike bing bingo
  bio biz bj black blackfriday blockbuster blog bloomberg blue bm bms bmw bn bnpparibas bo boats boehringer bofa bom
  bond boo book booking bosch bostik boston bot boutique box br bradesco bridgestone broadway broker brother brussels
  bs bt build builders business buy buzz bv bw by bz bzh ca cab cafe cal call calvinklein cam camera camp canon
  capetown capital capitalone car caravan cards care career careers cars casa case cash casino cat catering catholic
  cba cbn cbre cc cd center ceo cern cf cfa cfd cg ch chanel channel charity chase chat cheap chintai christmas chrome
  church ci cipriani circle cisco citadel citi citic city ck cl claims cleaning click clinic clinique clothing cloud
  club clubmed cm cn co coach codes coffee college cologne com commbank community company compare computer comsec
  condos construction consulting contact contractors cooking cool coop corsica country coupon coupons courses cpa cr
  credit creditcard creditunion cricket crown crs cruise cruises cu cuisinella cv cw cx cy cymru cyou cz dad dance
  data date dating datsun day dclk dds de deal dealer deals degree delivery dell deloitte delta democrat dental
  dentist desi design dev dhl diamonds diet digital direct directory discount discover dish diy dj dk dm dnp do docs
  doctor dog domains dot download drive dtv dubai dupont durban dvag dvr dz earth eat ec eco edeka edu education ee eg
  email emerck energy engineer engineering enterprises epson equipment er ericsson erni es esq estate et eu eurovision
  eus events exchange expert exposed express extraspace fage fail fairwinds faith family fan fans farm farmers fashion
  fast fedex feedback ferrari ferrero fi fidelity fido film final finance financial fire firestone firmdale fish
  fishing fit fitness fj fk flickr flights flir florist flowers fly fm fo foo food football ford forex forsale forum
  foundation fox fr free fresenius frl frogans frontier ftr fujitsu fun fund furniture futbol fyi ga gal gallery gallo
  gallup game games gap garden gay gb gbiz gd gdn ge gea gent genting george gf gg ggee gh gi gift gifts gives giving
  gl glass gle global globo gm gmail gmbh gmo gmx gn godaddy gold goldpoint golf goodyear goog google gop got gov gp
  gq gr grainger graphics gratis green gripe grocery group gs gt gu gucci guge guide guitars guru gw gy hair hamburg
  hangout haus hbo hdfc hdfcbank health healthcare help helsinki here hermes hiphop hisamitsu hitachi hiv hk hkt hm hn
  hockey holdings holiday homedepot homegoods homes homesense honda horse hospital host hosting hot hotels hotmail
  house how hr hsbc ht hu hughes hyatt hyundai ibm icbc ice icu id ie ieee ifm ikano il im imamat imdb immo immobilien
  in inc industries infiniti info ing ink institute insurance insure int international intuit investments io ipiranga
  iq ir irish is ismaili ist istanbul it itau itv jaguar java jcb je jeep jetzt jewelry jio jll jm jmp jnj jo jobs
  joburg jot joy jp jpmorgan jprs juegos juniper kaufen kddi ke kerryhotels kerryproperties kfh kg kh ki kia kids kim
  kindle kitchen kiwi km kn koeln komatsu kosher kp kpmg kpn kr krd kred kuokgroup kw ky kyoto kz la lacaixa
  lamborghini lamer land landrover lanxess lasalle lat latino latrobe law lawyer lb lc lds lease leclerc lefrak legal
  lego lexus lgbt li lidl life lifeinsurance lifestyle lighting like lilly limited limo lincoln link live living lk
  llc llp loan loans locker locus lol london lotte lotto love lpl lplfinancial lr ls lt ltd ltda lu lundbeck luxe
  luxury lv ly ma madrid maif maison makeup man management mango map market marketing markets marriott marshalls
  mattel mba mc mckinsey md me med media meet melbourne meme memorial men menu merck merckmsd mg mh miami microsoft
  mil mini mint mit mitsubishi mk ml mlb mls mm mma mn mo mobi mobile moda moe moi mom monash money monster mormon
  mortgage moscow moto motorcycles mov movie mp mq mr ms msd mt mtn mtr mu museum music mv mw mx my mz na nab nagoya
  name navy nba nc ne nec net netbank netflix network neustar new news next nextdirect nexus nf nfl ng ngo nhk ni nico
  nike nikon ninja nissan nissay nl no nokia norton now nowruz nowtv np nr nra nrw ntt nu nyc nz obi observer office
  okinawa olayan olayangroup ollo om omega one ong onl online ooo open oracle orange org organic origins osaka otsuka
  ott ovh pa page panasonic paris pars partners parts party pay pccw pe pet pf pfizer pg ph pharmacy phd philips phone
  photo photography photos physio pics pictet pictures pid pin ping pink pioneer pizza pk pl place play playstation
  plumbing plus pm pn pnc pohl poker politie porn post pr praxi press prime pro prod productions prof progressive
  promo properties property protection pru prudential ps pt pub pw pwc py qa qpon quebec quest racing radio re read
  realestate realtor realty recipes red redumbrella rehab reise reisen reit reliance ren rent rentals repair report
  republican rest restaurant review reviews rexroth rich richardli ricoh ril rio rip ro rocks rodeo rogers room rs
  rsvp ru rugby ruhr run rw rwe ryukyu sa saarland safe safety sakura sale salon samsclub samsung sandvik
  sandvikcoromant sanofi sap sarl sas save saxo sb sbi sbs sc scb schaeffler schmidt scholarships school schule
  schwarz science scot sd se search seat secure security seek select sener services seven sew sex sexy sfr sg sh
  shangrila sharp shell shia shiksha shoes shop shopping shouji show si silk sina singles site sj sk ski skin sky
  skype sl sling sm smart smile sn sncf so soccer social softbank software sohu solar solutions song sony soy spa
  space sport spot sr srl ss st stada staples star statebank statefarm stc stcgroup stockholm storage store stream
  studio study style su sucks supplies supply support surf surgery suzuki sv swatch swiss sx sy sydney systems sz tab
  taipei talk taobao target tatamotors tatar tattoo tax taxi tc tci td tdk team tech technology tel temasek tennis
  teva tf tg th thd theater theatre tiaa tickets tienda tips tires tirol tj tjmaxx tjx tk tkmaxx tl tm tmall tn to
  today tokyo tools top toray toshiba total tours town toyota toys tr trade trading training travel travelers
  travelersinsurance trust trv tt tube tui tunes tushu tv tvs tw tz ua ubank ubs ug uk unicom university uno uol ups
  us uy uz va vacations vana vanguard vc ve vegas ventures verisign versicherung vet vg vi viajes video vig viking
  villas vin vip virgin visa vision viva vivo vlaanderen vn vodka volvo vote voting voto voyage vu wales walmart
  walter wang wanggou watch watches weather weatherchannel webcam weber website wed wedding weibo weir wf whoswho wien
  wiki williamhill win windows wine winners wme woodside work works world wow ws wtc wtf xbox xerox xihuan xin xxx xyz
  yachts yahoo yamaxun yandex ye yodobashi yoga yokohama you youtube yt yun za zappos zara zero zip zm zone zuerich zw
`);

const KINDS: ReadonlyMap<string, EndingKind> = new Map([
  ...ALL.map((ending) => [ending, 'word'] as const),
  ...IN_PROSE.map((ending) => [ending, 'prose'] as const),
  ...COUNTRIES.map((ending) => [ending, 'country'] as const),
  ...[...PLAIN, ...PLAIN_ABROAD.map(foldLookalikes)].map((ending) => [ending, 'plain'] as const),
]);
