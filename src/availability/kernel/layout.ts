/**
 * Where everything is in the memory of the index: byte offsets into its records. The kernels (in AssemblyScript) and the code
 * around them read this one file. All numbers are little-endian words of 32 bits unless said otherwise.
 *
 * Homes are rows of tiles. A plane has one bit for each row of a tile; a calendar plane is one plane for each day of the ring,
 * one after the other, so that the same day of all homes is together, and the days of a stay follow each other.
 */

/** Planes are read in vectors of 128 bits, so tiles have a multiple of as many rows. */
export const ROWS_A_VECTOR = 128;
export const MAX_TILE_ROWS = 1024;

/** A tile: homes in one time zone, and in places under one root. */
export const TILE_INDEX = 0;
export const TILE_ROWS = 4;
export const TILE_PLANE_BYTES = 8;
export const TILE_TIME_ZONE = 12;
export const TILE_GROUP = 16;
export const TILE_HOMES = 20;
/** Planes. */
export const TILE_OCCUPIED = 24;
export const TILE_UNPUBLISHED = 28;
/** Calendar planes; that of closed departures is 0 while no home has one. */
export const TILE_FREE = 32;
export const TILE_ARRIVALS = 36;
export const TILE_CLOSED_DEPARTURES = 40;
/** The last day on which a stay may end that the arrivals were computed for. */
export const TILE_HORIZON = 44;
/** How many of the stays withdrawn are of this tile. */
export const TILE_WITHDRAWN = 48;
/** Columns with one entry for each row. The first has 16 bits: the last day of arrival less the lead days, counted from an epoch. */
export const TILE_LATEST = 52;
export const LATEST_EPOCH = 16384;
export const TILE_IDS = 56;
export const TILE_TIES = 60;
export const TILE_BRANDS = 64;
export const TILE_PLACES = 68;
export const TILE_PRICES = 72;
/** A list of amenities, each with a plane. */
export const TILE_AMENITIES = 76;
/**
 * Ladders: party sizes, lead days, and the usual minimum and maximum stay with one plane for each bit of a code; what days have of
 * other rules with one calendar plane for each.
 */
export const TILE_PARTIES = 88;
export const TILE_LEADS = 168;
export const TILE_MINS = 248;
export const TILE_MAXES = 328;
export const TILE_RULES = 408;
/** For each block of days of the ring, a column with a code of 16 bits for the lowest price of each row (`assembly/pack-prices.ts`). */
export const TILE_LOWEST = 488;
/** A column: which state of its listing and which of its calendar a row has, as two words. */
export const TILE_VERSIONS = 492;
/** A column with 16 bits for each day of the ring: no stay that begins on it has more nights (`assembly/longest.ts`). */
export const TILE_LONGEST = 496;
/** A list of the cities of its homes, each with the plane of its scope. */
export const TILE_CITIES = 500;
/** Planes that nothing needs yet: how many, and where the first one is. */
export const TILE_SPARE_PLANES = 512;
export const TILE_SPARE = 516;
export const TILE_BYTES = 520;

/** A list in memory: how many entries there are, how many fit, and where. */
export const LIST_COUNT = 0;
export const LIST_CAPACITY = 4;
export const LIST_ENTRIES = 8;

/** A ladder is a list of values, most lenient first; a row has the position of its value, as bits in planes. */
export const LADDER_PLANE_COUNT = 12;
export const LADDER_PLANES = 16;

/** An entry of the rules' ladder, sorted by these three. A minimum or maximum of 0 is the usual one of the home. */
export const RULE_CLOSED = 0;
export const RULE_MIN = 4;
export const RULE_MAX = 8;
export const RULE_BYTES = 12;
/** Stands for no maximum stay: longer than any stay. */
export const NO_MAX = 0x7fffffff;

/** An entry of the cities of a tile: its plane, of which only the bytes `[from, to)`, whole vectors, have ever had a row. */
export const CITY_NUMBER = 0;
export const CITY_PLANE = 4;
export const CITY_FROM = 8;
export const CITY_TO = 12;
export const CITY_BYTES = 16;

/** An entry of the amenities of a tile. */
export const AMENITY_NUMBER = 0;
export const AMENITY_PLANE = 4;
export const AMENITY_BYTES = 8;

/**
 * The prices of a home, in a block of its own whose address is in the column of prices; its lowest bits say in which form. A form
 * above `PRICE_STEPS` has as many bytes for each night: how many steps the price is above the first one of base, base + step, … that
 * is not below what the code of its block of days stands for.
 */
export const PRICE_FORM_MASK = 15;
export const PRICE_SAME = 1;
export const PRICE_LISTED = 2;
export const PRICE_STEPS = 2;
export const PRICE_BASE = 0;
export const PRICE_STEP = 4;
export const PRICE_NIGHTS = 8;
export const BLOCK_DAYS = 28;
/** The code of a home without prices: above that of every price. */
export const NO_PRICE = 0xffff;
/** Codes have the place of the highest bit of a price, and as many of the bits behind it. */
export const CODE_BITS = 11;
/** A list of prices, and for each night half a byte with the number of its price. */
export const MAX_LISTED_PRICES = 16;
export const PRICE_NUMBERS = 64;

/** A rule that some nights of a calendar have: the three above, as they are, and how many nights. */
export const FOUND_RULE_NIGHTS = 12;
export const FOUND_RULE_BYTES = 16;

/** Prices in steps before they are written as a block: the base, the step, the most steps of a night, then the steps of the nights. */
export const STEPS_BASE = 0;
export const STEPS_STEP = 4;
export const STEPS_MOST = 8;
export const STEPS_NIGHTS = 12;

/** The days of one home, to write them into planes from: a word of 16 bits for each day of the ring, with these bits; the code of its rule is in the others. */
export const WORD_FREE = 0;
export const WORD_ARRIVAL = 1;
export const WORD_CLOSED_DEPARTURE = 2;
export const WORD_CODE = 3;

/** The memory that a thread needs for what kernels compute tile by tile. */
export const SCRATCH_BYTES = 56 * 1024;

/** One tile of what a query is about: the tile, the rows in the place, the rows of the brand (0 for all of them). */
export const SCOPE_TILE = 0;
export const SCOPE_PLACE = 4;
export const SCOPE_BRAND = 8;
export const SCOPE_BYTES = 12;

/** What a query asks for. The days are those on which a stay may begin, `[from, until)`; a check-out of 0 leaves it open. */
export const QUERY_FROM = 0;
export const QUERY_UNTIL = 4;
export const QUERY_CHECK_OUT = 8;
/** Rungs of parties up to this one are wanted. */
export const QUERY_PARTY = 12;
export const QUERY_AMENITY_COUNT = 16;
export const QUERY_AMENITIES = 20;
/** Rows that are left out, as tile index × `MAX_TILE_ROWS` + row. */
export const QUERY_EXCLUDED_COUNT = 24;
export const QUERY_EXCLUDED = 28;
/** What day it is, by time zone. */
export const QUERY_TODAYS = 32;
export const QUERY_HORIZON = 36;
export const QUERY_WITHDRAWN_COUNT = 40;
export const QUERY_WITHDRAWN = 44;
export const QUERY_BYTES = 64;

/** A stay that its operator refused: no stay of this row contains all nights of `[from, to)`. They are listed by row. */
export const WITHDRAWN_ROW = 0;
export const WITHDRAWN_FROM = 4;
export const WITHDRAWN_TO = 8;
export const WITHDRAWN_BYTES = 12;

/** What is found of all matches, and where the cheapest of them are chosen. */
export const FOUND_TOTAL = 0;
export const FOUND_UNPUBLISHED = 4;
/** Brands that have a match; they are counted only where the cheapest of each are wanted. */
export const FOUND_BRANDS = 8;
export const FOUND_AMENITIES = 12;
/** How many of all, and of each brand, are wanted. The latter is known when the brands are counted. */
export const FOUND_MOST = 16;
export const FOUND_MOST_OF_BRAND = 20;
/** The number that each brand has among those found, plus one; 0 when no brand is asked for. */
export const FOUND_BRAND_NUMBERS = 24;
/** Matches that may be among the cheapest, and the first of those with each bound. */
export const FOUND_PENDING = 28;
export const FOUND_BY_BOUND = 32;
/** The groups of the cheapest matches: that of all, and for each brand one of homes with prices and one of those without. */
export const FOUND_OF_ALL = 36;
export const FOUND_OF_BRANDS = 40;
/** The matches that are candidates, as addresses: those of the brands, and behind them those of all that are not among them. */
export const FOUND_LISTED = 44;
/** Their order, as keys of 64 bits, by the rank that the name of each brand has among all of them. */
export const FOUND_ORDER = 48;
export const FOUND_BRAND_RANKS = 52;
/** What candidates are known by, in order; how many there are, and how many bytes their ids have together. */
export const FOUND_CANDIDATES = 56;
export const FOUND_CANDIDATE_COUNT = 60;
export const FOUND_ID_BYTES = 64;
export const FOUND_BYTES = 80;

/** A match that may be among the cheapest: where the next one with such a bound is, its row, its bound and the number of its brand. */
export const PENDING_NEXT = 0;
export const PENDING_ROW = 4;
export const PENDING_BOUND = 8;
export const PENDING_BRAND = 10;
export const PENDING_BYTES = 12;
/** Where no brand is asked for, those that are pending are looked at when there are so many. */
export const MAX_PENDING = 512;
/** Bounds are codes without their lowest bits, so that a table has room for all of them. */
export const BOUND_SHIFT = 6;
export const BOUNDS = 65536 >> BOUND_SHIFT;

/** A group of the cheapest matches: how many there are, the highest code that one more may have, and the matches. */
export const GROUP_COUNT = 0;
export const GROUP_LIMIT = 4;
export const GROUP_MATCHES = 8;

/** A match of a group: its total (64-bit float, infinite without one), its row, and the number of its brand. */
export const MATCH_TOTAL = 0;
export const MATCH_ROW = 8;
export const MATCH_BRAND = 12;
export const MATCH_BYTES = 16;

/** A candidate: its total, the rank of its brand, its city, where its id is, and how many characters (of UTF-16) that has. */
export const CANDIDATE_TOTAL = 0;
export const CANDIDATE_BRAND_RANK = 8;
export const CANDIDATE_PLACE = 12;
export const CANDIDATE_ID = 16;
export const CANDIDATE_ID_UNITS = 20;
export const CANDIDATE_BYTES = 24;

/** A key by which something is ordered, 64 bits: the lower word says what it is of, or decides between equal ones. */
export const KEY_LOW = 0;
export const KEY_HIGH = 4;
export const KEY_BYTES = 8;

/** The rules that can stand in the way of a stay, in the order in which they are lifted: bits of a set. */
export const MIN_STAY = 0;
export const MAX_STAY = 1;
export const CLOSED_TO_ARRIVAL = 2;
export const CLOSED_TO_DEPARTURE = 3;
export const LEAD_TIME = 4;
export const PARTY = 5;
export const NOT_FREE = 6;
export const RULE_KINDS = 7;

/** The head of the memory. */
export const HEAD_USED = 4;
export const HEAD_RING_DAYS = 8;
/** The first day that the ring holds. */
export const HEAD_RING_START = 12;
export const HEAD_HOMES = 16;
export const HEAD_CHANGES = 20;
/** Lists: tiles (addresses), stays withdrawn, names (length and address), scopes by place and by brand. */
export const HEAD_TILES = 24;
export const HEAD_WITHDRAWN = 36;
export const HEAD_BRAND_NAMES = 48;
export const HEAD_PLACES = 60;
export const HEAD_BRANDS = 72;
export const HEAD_AMENITY_NAMES = 84;
/** Rows by id: a hash table of rows, its size a power of two. */
export const HEAD_ROW_TABLE = 96;
export const HEAD_ROW_SLOTS = 100;
export const HEAD_ROW_SLOTS_USED = 104;
export const HEAD_LABELS = 108;
/** 1 while nothing may be found, because what a snapshot brought is still compared with the store. */
export const HEAD_CLOSED = 120;
/** The edition of dates that tiles follow, and how many of the first tiles do. Questions write nothing while all follow their dates. */
export const HEAD_FOLLOWED = 124;
export const HEAD_FOLLOWED_TILES = 128;
/** The list of memory that threads use for what they compute. */
export const HEAD_SCRATCH = 132;
export const HEAD_BYTES = 144;

/** The tiles of a place or of a brand, sorted by index, and the number of its last change. */
export const SCOPES_CHANGE = 12;
export const SCOPES_BYTES = 16;
