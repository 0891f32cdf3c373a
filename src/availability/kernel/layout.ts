/**
 * The memory layout of the index: byte offsets into its records, for the kernels (in AssemblyScript) and for the code around them.
 * All numbers are little-endian words of 32 bits unless stated otherwise.
 *
 * Homes are rows of tiles. A plane has one bit for each row of a tile; a calendar plane is one plane for each day of the ring,
 * one after the other, so that the same day of all homes is together, and the days of a stay follow each other.
 */

/** Planes are read in vectors of 128 bits, so tiles have a multiple of 128 rows. */
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
/** The last day on which a stay may end, as of the computation of the arrivals. */
export const TILE_HORIZON = 44;
/** Number of withdrawn stays of this tile. */
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
/** For each block of days of the ring, a column with a 16-bit code of the lowest price of each row (`assembly/pack-prices.ts`). */
export const TILE_LOWEST = 488;
/** A column of versions: for each row a word for its listing and a word for its calendar. */
export const TILE_VERSIONS = 492;
/** A list of the cities of its homes, each with the plane of its scope. */
export const TILE_CITIES = 500;
/** Unused planes: their number, and the address of the first. */
export const TILE_SPARE_PLANES = 512;
export const TILE_SPARE = 516;
export const TILE_BYTES = 520;

/** A list in memory: number of entries, capacity, and address. */
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
/** Means no maximum stay: longer than any stay. */
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
 * The block with the prices of a home. Its address is in the column of prices, with the form in the lowest bits. Forms above
 * `PRICE_STEPS` have that many bytes for each night: the number of steps of the price above the first of base, base + step, … that is
 * not below the price of the code of its block of days.
 */
export const PRICE_FORM_MASK = 15;
export const PRICE_SAME = 1;
export const PRICE_LISTED = 2;
export const PRICE_STEPS = 2;
export const PRICE_BASE = 0;
export const PRICE_STEP = 4;
export const PRICE_NIGHTS = 8;
export const BLOCK_DAYS = 28;
/** The code of a home without prices: above the codes of all prices. */
export const NO_PRICE = 0xffff;
/** Codes consist of the position of a price's highest bit and this many bits behind it. */
export const CODE_BITS = 11;
/** A list of prices, and for each night half a byte with the number of its price. */
export const MAX_LISTED_PRICES = 16;
export const PRICE_NUMBERS = 64;

/** A rule of some nights of a calendar: the three members above, and the number of nights. */
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

/** Scratch memory, for results that kernels compute tile by tile. */
export const SCRATCH_BYTES = 56 * 1024;

/** One tile of a query: the tile, the rows in the place, the rows of the brand (0 for all). */
export const SCOPE_TILE = 0;
export const SCOPE_PLACE = 4;
export const SCOPE_BRAND = 8;
export const SCOPE_BYTES = 12;

/** A query. Stays begin in `[from, until)`; a check-out of 0 leaves it open. */
export const QUERY_FROM = 0;
export const QUERY_UNTIL = 4;
export const QUERY_CHECK_OUT = 8;
/** Rungs of parties up to this one match. */
export const QUERY_PARTY = 12;
export const QUERY_AMENITY_COUNT = 16;
export const QUERY_AMENITIES = 20;
/** Excluded rows, as tile index × `MAX_TILE_ROWS` + row. */
export const QUERY_EXCLUDED_COUNT = 24;
export const QUERY_EXCLUDED = 28;
/** Today's date, by time zone. */
export const QUERY_TODAYS = 32;
export const QUERY_HORIZON = 36;
export const QUERY_WITHDRAWN_COUNT = 40;
export const QUERY_WITHDRAWN = 44;
export const QUERY_BYTES = 64;

/** A stay that its operator refused: no stay of this row may contain all nights of `[from, to)`. Sorted by row. */
export const WITHDRAWN_ROW = 0;
export const WITHDRAWN_FROM = 4;
export const WITHDRAWN_TO = 8;
export const WITHDRAWN_BYTES = 12;

/** Results over all matches, and the addresses for choosing the cheapest. */
export const FOUND_TOTAL = 0;
export const FOUND_UNPUBLISHED = 4;
/** Number of brands with a match, counted only where the cheapest of each are requested. */
export const FOUND_BRANDS = 8;
export const FOUND_AMENITIES = 12;
/** Requested number overall and of each brand. The latter is known after counting the brands. */
export const FOUND_MOST = 16;
export const FOUND_MOST_OF_BRAND = 20;
/** The number of each brand among those found, plus one; 0 when brands are not requested. */
export const FOUND_BRAND_NUMBERS = 24;
/** Pending matches, which may be among the cheapest, and the first one with each bound. */
export const FOUND_PENDING = 28;
export const FOUND_BY_BOUND = 32;
/** The groups of the cheapest matches: one overall, and for each brand one with prices and one without. */
export const FOUND_OF_ALL = 36;
export const FOUND_OF_BRANDS = 40;
/** Addresses of the candidates: those of the brands, then the remaining ones overall. */
export const FOUND_LISTED = 44;
/** Their order, as 64-bit keys, by the rank of the brand's name. */
export const FOUND_ORDER = 48;
export const FOUND_BRAND_RANKS = 52;
/** The candidates in order, and their number. */
export const FOUND_CANDIDATES = 56;
export const FOUND_CANDIDATE_COUNT = 60;
export const FOUND_BYTES = 80;

/** A pending match: the next one with this bound, its row, its bound and the number of its brand. */
export const PENDING_NEXT = 0;
export const PENDING_ROW = 4;
export const PENDING_BOUND = 8;
export const PENDING_BRAND = 10;
export const PENDING_BYTES = 12;
/** Without requested brands, pending matches are evaluated when this many have collected. */
export const MAX_PENDING = 512;
/** Bounds are codes without their lowest bits, so that a table can hold all of them. */
export const BOUND_SHIFT = 6;
export const BOUNDS = 65536 >> BOUND_SHIFT;

/** A group of the cheapest matches: their number, the highest code that another may have, and the matches. */
export const GROUP_COUNT = 0;
export const GROUP_LIMIT = 4;
export const GROUP_MATCHES = 8;

/** A match of a group: its total (64-bit float, infinite without one), its row, and the number of its brand. */
export const MATCH_TOTAL = 0;
export const MATCH_ROW = 8;
export const MATCH_BRAND = 12;
export const MATCH_BYTES = 16;

/** A candidate: its total, the rank of its brand, its city, and the address of its id. */
export const CANDIDATE_TOTAL = 0;
export const CANDIDATE_BRAND_RANK = 8;
export const CANDIDATE_PLACE = 12;
export const CANDIDATE_ID = 16;
export const CANDIDATE_BYTES = 24;

/** A 64-bit sort key: the lower word identifies the entry, or breaks ties. */
export const KEY_LOW = 0;
export const KEY_HIGH = 4;
export const KEY_BYTES = 8;

/** The rules that can prevent a stay, in the order in which they are lifted: bits of a set. */
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
/** The first day of the ring. */
export const HEAD_RING_START = 12;
export const HEAD_HOMES = 16;
export const HEAD_CHANGES = 20;
/** Lists: tiles (addresses), withdrawn stays, names (length and address), scopes by place and by brand. */
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
/** 1 while no home may be found, because those of a snapshot are still compared with the store. */
export const HEAD_CLOSED = 120;
/** The edition of dates, and the number of leading tiles that follow it. Questions write nothing while all tiles follow their dates. */
export const HEAD_FOLLOWED = 124;
export const HEAD_FOLLOWED_TILES = 128;
/** The list of scratch blocks. */
export const HEAD_SCRATCH = 132;
export const HEAD_BYTES = 144;

/** The tiles of a place or of a brand, sorted by index, and the number of its last change. */
export const SCOPES_CHANGE = 12;
export const SCOPES_BYTES = 16;
