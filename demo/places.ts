import type { PlaceKind } from '../src/catalogue/catalogue.ts';

/** Countries and regions of the demo network; its cities stand in `cities.ts`. */
type Area = {
  readonly id: string;
  readonly name: string;
  readonly kind: Exclude<PlaceKind, 'city'>;
  readonly parent: string | null;
  readonly timeZone: string;
  readonly currency: string;
};

const country = (id: string, name: string, timeZone: string, currency: string) =>
  ({ id, name, kind: 'country', parent: null, timeZone, currency }) as const;

const portugal = country('portugal', 'Portugal', 'Europe/Lisbon', 'EUR');
const spain = country('spain', 'Spain', 'Europe/Madrid', 'EUR');
const italy = country('italy', 'Italy', 'Europe/Rome', 'EUR');
const france = country('france', 'France', 'Europe/Paris', 'EUR');
const denmark = country('denmark', 'Denmark', 'Europe/Copenhagen', 'DKK');
const unitedKingdom = country('united-kingdom', 'United Kingdom', 'Europe/London', 'GBP');
const unitedStates = country('united-states', 'United States', 'America/New_York', 'USD');
const japan = country('japan', 'Japan', 'Asia/Tokyo', 'JPY');
const australia = country('australia', 'Australia', 'Australia/Sydney', 'AUD');

const region = (id: string, name: string, parent: Area, timeZone = parent.timeZone) =>
  ({ id, name, kind: 'region', parent: parent.id, timeZone, currency: parent.currency }) as const;

export const AREAS: readonly Area[] = [
  portugal,
  region('lisbon-region-pt', 'Lisbon Region', portugal),
  region('northern-portugal', 'Northern Portugal', portugal),
  spain,
  region('catalonia-es', 'Catalonia', spain),
  region('andalusia-es', 'Andalusia', spain),
  italy,
  region('tuscany-it', 'Tuscany', italy),
  region('lazio-it', 'Lazio', italy),
  france,
  region('ile-de-france-fr', 'Île-de-France', france),
  region('riviera-fr', 'French Riviera', france),
  denmark,
  region('capital-region-dk', 'Capital Region of Denmark', denmark),
  unitedKingdom,
  region('england-gb', 'England', unitedKingdom),
  region('scotland-gb', 'Scotland', unitedKingdom),
  unitedStates,
  region('new-york-state-us', 'New York State', unitedStates),
  region('california-us', 'California', unitedStates, 'America/Los_Angeles'),
  japan,
  region('kansai-jp', 'Kansai', japan),
  region('kanto-jp', 'Kantō', japan),
  australia,
  region('new-south-wales-au', 'New South Wales', australia),
];

const areasById = new Map(AREAS.map((area) => [area.id, area]));

export function areaOf(id: string): Area {
  const area = areasById.get(id);
  if (!area) throw new RangeError(`no area ${id}`);
  return area;
}

/** From the region up to the country. */
export function areasAround(id: string): readonly Area[] {
  const area = areaOf(id);
  return area.parent === null ? [area] : [area, ...areasAround(area.parent)];
}

/**
 * What travellers call a place besides its name: local, foreign and short names. Those that differ from one another by case,
 * accents or punctuation alone are not repeated.
 */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  portugal: 'PT, Portogallo, Portugalia, Португалия, 葡萄牙, ポルトガル, 포르투갈',
  'lisbon-region-pt':
    'Greater Lisbon, Lisbon Metropolitan Area, Lisbon Area, Grande Lisboa, Região de Lisboa, Área Metropolitana de Lisboa',
  'northern-portugal': 'North Portugal, North of Portugal, Norte, Norte de Portugal, Nordportugal',
  spain:
    'ES, España, Espagne, Spanien, Spagna, Espanha, Espanya, Spanje, Hiszpania, Испания, 西班牙, スペイン, 스페인',
  'catalonia-es':
    'Catalunya, Cataluña, Catalogne, Katalonien, Catalogna, Catalunha, Catalonië, Каталония, 加泰罗尼亚, カタルーニャ, 카탈루냐',
  'andalusia-es':
    'Andalucía, Andalousie, Andalusien, Andaluzia, Andalusië, Андалусия, 安达卢西亚, アンダルシア, 안달루시아',
  italy: 'IT, Italia, Italie, Italien, Włochy, Италия, 意大利, 義大利, イタリア, 이탈리아',
  'tuscany-it': 'Toscana, Toscane, Toskana, Тоскана, 托斯卡纳, トスカーナ, 토스카나',
  'lazio-it': 'Latium, Lacio, Лацио, 拉齐奥, ラツィオ, 라치오',
  france:
    'FR, Francia, Frankreich, França, Frankrijk, Frankrig, Francja, Франция, 法国, 法國, フランス, 프랑스',
  'ile-de-france-fr':
    'Paris Region, Greater Paris, Région parisienne, Isla de Francia, Иль-де-Франс, 法兰西岛, イル＝ド＝フランス',
  'riviera-fr':
    'Côte d’Azur, Riviera française, Französische Riviera, Costa Azul, Costa Azzurra, Лазурный берег, 蔚蓝海岸, コート・ダジュール',
  denmark:
    'DK, Danmark, Dänemark, Dinamarca, Danimarca, Denemarken, Dania, Дания, 丹麦, 丹麥, デンマーク, 덴마크',
  'capital-region-dk':
    'Capital Region, Copenhagen Region, Greater Copenhagen, Hovedstaden, Region Hovedstaden',
  'united-kingdom':
    'UK, GB, Great Britain, Britain, Reino Unido, Royaume-Uni, Vereinigtes Königreich, Regno Unito, Verenigd Koninkrijk, Gran Bretaña, Grande-Bretagne, Großbritannien, Gran Bretagna, Grã-Bretanha, Великобритания, 英国, 英國, イギリス, 영국',
  'england-gb':
    'Inglaterra, Angleterre, Inghilterra, Engeland, Anglia, Англия, 英格兰, イングランド, 잉글랜드',
  'scotland-gb':
    'Escocia, Écosse, Schottland, Scozia, Schotland, Szkocja, Alba, Шотландия, 苏格兰, スコットランド, 스코틀랜드',
  'united-states':
    'US, USA, United States of America, America, The States, Estados Unidos, EE. UU., EUA, États-Unis, Vereinigte Staaten, Stati Uniti, Verenigde Staten, США, 美国, 美國, アメリカ, アメリカ合衆国, 미국',
  'new-york-state-us':
    'New York, NY, NY State, State of New York, Estado de Nueva York, État de New York, 纽约州, ニューヨーク州',
  'california-us':
    'CA, Californie, Kalifornien, Kalifornia, Калифорния, 加利福尼亚, 加州, カリフォルニア, 캘리포니아',
  japan: 'JP, 日本, Nippon, Nihon, Japón, Japão, Giappone, Japonia, Япония, 일본',
  'kansai-jp': '関西, 関西地方, 关西, Kansai Region, Kinki, 近畿, 간사이',
  'kanto-jp': '関東, 関東地方, 关东, Kanto Region, 간토',
  australia: 'AU, Australie, Australien, Австралия, 澳大利亚, 澳洲, オーストラリア, 호주',
  'new-south-wales-au':
    'NSW, Nueva Gales del Sur, Nouvelle-Galles du Sud, Neusüdwales, Nuovo Galles del Sud, Новый Южный Уэльс, 新南威尔士, ニューサウスウェールズ',
  'lisbon-pt': 'Lisboa, Lissabon, Lisbonne, Lisbona, Lizbona, Lisabon, Лиссабон, 里斯本, リスボン, 리스본',
  'sintra-pt': 'Cintra, Синтра, 辛特拉, シントラ, 신트라',
  'porto-pt': 'Oporto, Порту, 波尔图, 波爾圖, ポルト, 포르투',
  'barcelona-es': 'Barcelone, Barcellona, Barna, BCN, Барселона, 巴塞罗那, 巴塞隆納, バルセロナ, 바르셀로나',
  'girona-es': 'Gerona, Gérone, Жирона, 赫罗纳, ジローナ, 지로나',
  'seville-es':
    'Sevilla, Siviglia, Sevilha, Sewilla, Севилья, 塞维利亚, 塞維亞, セビリア, セビージャ, 세비야',
  'florence-it':
    'Firenze, Florenz, Florencia, Florença, Florencja, Флоренция, 佛罗伦萨, 佛羅倫斯, フィレンツェ, 피렌체',
  'lucca-it': 'Lucques, Лукка, 卢卡, ルッカ, 루카',
  'rome-it': 'Roma, Rom, Rzym, Řím, Рим, 罗马, 羅馬, ローマ, 로마',
  'paris-fr': 'Parigi, Parijs, Paryż, Paříž, Pariisi, Париж, 巴黎, パリ, 파리',
  'nice-fr': 'Nizza, Niza, Nicea, Nissa, Ницца, 尼斯, ニース, 니스',
  'copenhagen-dk':
    'København, Kopenhagen, Copenhague, Copenaghen, Köpenhamn, Kopenhaga, Kodaň, Копенгаген, 哥本哈根, コペンハーゲン, 코펜하겐',
  'london-gb': 'Londres, Londra, Londen, Londyn, Лондон, 伦敦, 倫敦, ロンドン, 런던',
  'bath-gb': 'Bath Spa, Бат, 巴斯, バース, 바스',
  'edinburgh-gb':
    'Edimburgo, Édimbourg, Edinburg, Edynburg, Dùn Èideann, Эдинбург, 爱丁堡, 愛丁堡, エディンバラ, 에든버러',
  'new-york-us':
    'NYC, New York City, Nueva York, Nova York, Nova Iorque, Nowy Jork, The Big Apple, Нью-Йорк, 纽约, 紐約, ニューヨーク, 뉴욕',
  'los-angeles-us': 'LA, Лос-Анджелес, 洛杉矶, 洛杉磯, ロサンゼルス, 로스앤젤레스',
  'kyoto-jp': '京都, 京都市, Kioto, Quioto, Киото, 교토',
  'osaka-jp': '大阪, 大阪市, Осака, 오사카',
  'tokyo-jp': '東京, 東京都, 东京, Tokio, Tóquio, Токио, 도쿄',
  'sydney-au': 'Sídney, Сидней, 悉尼, 雪梨, シドニー, 시드니',
};

export function otherNamesOf(place: string): readonly string[] {
  const names = OTHER_NAMES[place];
  if (names === undefined) throw new RangeError(`no other names of ${place}`);
  return names.split(', ');
}
