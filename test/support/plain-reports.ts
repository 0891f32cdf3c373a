import type {
  Cell,
  Report,
  ReportedAssistant,
  ReportId,
  ReportRange,
} from '../../src/analytics/reports/report.ts';
import { answerWords, refusalWords, wordsFor } from '../../src/analytics/reports/words.ts';
import type { OperatorHealth } from '../../src/sync/operator-health.ts';
import type { PlainActivity } from './plain-activity.ts';

/** Every number of a report: of its tiles, and of its tables by the identifiers and words of a row and the identifier of a column. */
export type Figures = {
  readonly tiles: Readonly<Record<string, Cell>>;
  readonly tables: Readonly<Record<string, FigureRows>>;
};
type FigureRows = Readonly<Record<string, Readonly<Record<string, Cell>>>>;

const HEADS = ['text', 'named', 'instant', 'day', 'month'];

/** The figures that a report shows. Words are the names of rows: those at the beginning of each. */
export function figuresIn({ tiles, sections }: Report): Figures {
  return {
    tiles: Object.fromEntries(tiles.map(({ id, value }) => [id, rounded(value)])),
    tables: Object.fromEntries(
      sections.map(({ id, columns, rows }) => {
        const heads = columns.findIndex(({ unit }) => !HEADS.includes(unit));
        const first = heads < 0 ? columns.length : heads;
        const named = rows.map((row) => [
          row
            .slice(0, first)
            .map((cell) => (cell !== null && typeof cell === 'object' ? both(cell.id, cell.text) : cell))
            .join(' | '),
          Object.fromEntries(
            columns.slice(first).map((column, at) => [column.id, rounded(row[first + at] ?? null)]),
          ),
        ]);
        if (new Set(named.map(([name]) => String(name))).size < named.length)
          throw new Error(`two rows of ${id} have the same name`);
        return [id, Object.fromEntries(named)];
      }),
    ),
  };
}

/** What programs go by with what people read. */
function both(id: Cell, words: string): string {
  return `${id}=${words}`;
}

const ofCode = (code: string) => both(code === '' ? null : code, wordsFor(code));
const ofAnswer = (code: string) => both(code === '' ? null : code, answerWords(code));
const ofRefusal = (refusal: string) => both(refusal === '' ? null : refusal, refusalWords(refusal));

/** Sums of fractions differ in their last digits by the order in which they were added. */
function rounded(value: Cell): Cell {
  return typeof value === 'number' ? Number(value.toPrecision(9)) + 0 : value;
}

export type PlainFacts = {
  readonly now: number;
  readonly sessionMinutes: number;
  readonly registered: readonly ReportedAssistant[];
  readonly health: readonly OperatorHealth[];
  /** Those of the network. */
  readonly brands: readonly string[];
  /** Names of brands, places and assistants; others are called by their identifiers. */
  readonly names: Readonly<Record<string, string>>;
  /** Of places; UTC for others. */
  readonly timeZones: Readonly<Record<string, string>>;
};

/** The same figures by plain counts over what happened. */
export function plainFigures(
  id: ReportId,
  range: ReportRange,
  activity: PlainActivity,
  facts: PlainFacts,
): Figures {
  const figures = PLAIN_REPORTS[id]({ range, all: activity, ours: inRange(activity, range), facts });
  return JSON.parse(JSON.stringify(figures), (_, value) => rounded(value));
}

type Question = {
  readonly range: ReportRange;
  readonly all: PlainActivity;
  /** What is in the range, and of the brand if there is one. */
  readonly ours: PlainActivity;
  readonly facts: PlainFacts;
};

const dayOf = (instant: number) => new Date(instant).toISOString().slice(0, 10);
const [HOUR, DAY] = [3_600_000, 86_400_000];

function inRange(activity: PlainActivity, { from, to, brand }: ReportRange): PlainActivity {
  const isIn = (at: number) => dayOf(at) >= from && dayOf(at) <= to;
  const ofBrand = (one: object) => brand === null || ('brand' in one && one.brand === brand);
  const kept = Object.entries(activity).map(([name, events]) => [
    name,
    (events as readonly { at?: number; openedAt?: number; bookedAt?: number }[]).filter(
      (one) => isIn(one.at ?? one.openedAt ?? one.bookedAt ?? 0) && ofBrand(one),
    ),
  ]);
  return Object.fromEntries(kept);
}

const share = (part: number, whole: number) => (whole === 0 ? null : Math.min(1, part / whole));
const mean = (values: readonly number[]) =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

/** A row for each name, with what is found in the events of that name. */
function rowsBy<Event>(
  events: readonly Event[],
  nameOf: (event: Event) => string,
  cells: (events: readonly Event[]) => Record<string, Cell>,
): FigureRows {
  const names = [...new Set(events.map(nameOf))];
  return Object.fromEntries(names.map((name) => [name, cells(events.filter((one) => nameOf(one) === name))]));
}

const standOf = ({ stands }: PlainActivity['sessions'][number]) => stands.at(-1) ?? ['', ''];
const isCompleted = (session: PlainActivity['sessions'][number]) => standOf(session)[0] === 'completed';

const OVER_LIMIT = ['rate_limited', 'too_many_sessions', 'session_used_up'];
const TURNED_AWAY = [
  'unknown_caller',
  'suspended',
  'browser',
  'other_host',
  'unknown_address',
  'invalid_signature',
  'replayed_signature',
  'access_denied',
];
const VALUE_REFUSED = ['invalid_value', 'prerequisite_missing', 'refine_not_available', 'nothing_on_offer'];

const FAILED = ['upstream_unavailable', 'overloaded', 'storage_unavailable', 'internal_error'];

function kindOf(answer: string): string {
  if (answer === '' || answer === 'incomplete_payload') return 'answered=answered';
  if (answer === 'abandoned') return 'left=caller left';
  if (VALUE_REFUSED.includes(answer)) return 'refused=refused';
  if (OVER_LIMIT.includes(answer)) return 'over_limit=over a limit';
  if (FAILED.includes(answer)) return 'failed=error';
  return TURNED_AWAY.includes(answer) ? 'turned_away=caller turned away' : 'mistaken=mistake of the caller';
}

const isFailed = ({ answer }: { answer: string }) => FAILED.includes(answer);
const isMistaken = ({ answer }: { answer: string }) => kindOf(answer).startsWith('mistaken');

const TIMES = [100, 250, 500, 1000, 2000, 4000, 8000, 15_000, 30_000, 60_000, 120_000, 300_000, 900_000];
const TIME_NAMES = [
  'up_to_0.1_s=under 100 ms',
  'up_to_0.25_s=100 to 250 ms',
  'up_to_0.5_s=250 to 500 ms',
  'up_to_1_s=500 ms to 1 s',
  'up_to_2_s=1 to 2 s',
  'up_to_4_s=2 to 4 s',
  'up_to_8_s=4 to 8 s',
  'up_to_15_s=8 to 15 s',
  'up_to_30_s=15 to 30 s',
  'up_to_60_s=30 s to 1 min',
  'up_to_120_s=1 to 2 min',
  'up_to_300_s=2 to 5 min',
  'up_to_900_s=5 to 15 min',
  'more=more than 15 min',
];
const TIME_BOUNDS = '100 ms,250 ms,500 ms,1 s,2 s,4 s,8 s,15 s,30 s,1 min,2 min,5 min,15 min'.split(',');
const LEADS = [1, 3, 7, 14, 30, 60, 90, 180, 365];
const LEAD_NAMES = [
  'up_to_1_d=up to 1 day',
  'up_to_3_d=2 to 3 days',
  'up_to_7_d=4 to 7 days',
  'up_to_14_d=8 to 14 days',
  'up_to_30_d=15 to 30 days',
  'up_to_60_d=31 to 60 days',
  'up_to_90_d=61 to 90 days',
  'up_to_180_d=91 to 180 days',
  'up_to_365_d=181 to 365 days',
  'more=more than 365 days',
];

/** The place of the first bound that is not exceeded. */
function bucketAt(value: number, bounds: readonly number[]): number {
  return bounds.filter((bound) => value > bound).length;
}

/** The first bound that is not exceeded, as a number and in words. */
function atMost(milliseconds: number): Cell {
  const at = bucketAt(milliseconds, TIMES);
  const bound = TIMES[at];
  return bound === undefined
    ? { id: null, text: 'more than 15 min' }
    : { id: bound, text: `up to ${TIME_BOUNDS[at]}` };
}

function bucketRows(
  values: readonly number[],
  bounds: readonly number[],
  names: readonly string[],
  column: string,
): FigureRows {
  if (values.length === 0) return {};
  const rows = names.map((name, at) => {
    const count = values.filter((value) => bucketAt(value, bounds) === at).length;
    return [name, { [column]: count, share: share(count, values.length) }];
  });
  return Object.fromEntries(rows);
}

function today({ range, all, ours, facts }: Question): Figures {
  const { sessions, requests, searches, prices, shed } = ours;
  const { now, sessionMinutes, names } = facts;
  const isWhole = range.brand === null;
  const completed = sessions.filter(isCompleted);
  const stopped = sessions.filter((one) => !isCompleted(one));
  const isOver = (instant: number) =>
    Math.floor(instant / HOUR) * HOUR + HOUR + sessionMinutes * 60_000 <= now;
  const times = completed.map((one) => one.millisecondsToResult ?? 0).toSorted((one, other) => one - other);
  const median = times[Math.ceil(times.length / 2) - 1];
  const failed = requests.filter(isFailed);
  return {
    tiles: {
      sessions: sessions.length,
      completed: completed.length,
      abandoned: stopped.filter(({ openedAt }) => isOver(openedAt)).length,
      open: stopped.filter(({ openedAt }) => !isOver(openedAt)).length,
      share_completed: share(completed.length, sessions.length),
      median_time: median === undefined ? null : atMost(median),
      mean_time: mean(times),
      searches: searches.length,
      share_quoted: share(prices.filter(({ answer }) => answer === 'quoted').length, prices.length),
      ...(isWhole
        ? {
            requests: requests.length,
            mean_request_time: mean(requests.map(({ milliseconds }) => milliseconds)),
            errors: failed.length,
            shed: shed.length,
          }
        : {}),
    },
    tables: {
      periods: periods(range, all, ours, now),
      funnel: funnel(sessions),
      refusals: rowsBy(
        stopped,
        (one) => `${ofCode(standOf(one)[0])} | ${ofRefusal(standOf(one)[1])}`,
        (some) => ({ sessions: some.length }),
      ),
      times: bucketRows(times, TIMES, TIME_NAMES, 'sessions'),
      prices: priceRows(prices, names),
      searches: rowsBy(
        searches,
        ({ end }) => ofCode(end),
        (some) => ({
          searches: some.length,
          share: share(some.length, searches.length),
          mean_time: mean(some.map(({ milliseconds }) => milliseconds)),
        }),
      ),
      ...(isWhole
        ? {
            answers: rowsBy(
              requests,
              ({ answer }) => `${ofAnswer(answer)} | ${kindOf(answer)}`,
              (some) => ({ requests: some.length, share: share(some.length, requests.length) }),
            ),
          }
        : {}),
    },
  };
}

function funnel(sessions: PlainActivity['sessions']): FigureRows {
  if (sessions.length === 0) return {};
  const stages = [
    'brand_locked',
    'destination',
    'check_in_month',
    'check_in_day',
    'check_out',
    'guests',
    'prices',
    'completed',
  ];
  const placeOf = (one: (typeof sessions)[number]) => stages.indexOf(standOf(one)[0]);
  const rows = stages.map((stage, at) => {
    const reached = sessions.filter((one) => placeOf(one) >= at).length;
    const stopped = sessions.filter((one) => placeOf(one) === at).length;
    const cells =
      stage === 'completed'
        ? { reached, stopped: null, share: null }
        : { reached, stopped, share: share(stopped, reached) };
    return [ofCode(stage), cells];
  });
  return Object.fromEntries(rows);
}

function periods(range: ReportRange, all: PlainActivity, ours: PlainActivity, now: number): FigureRows {
  if (ours.sessions.length + ours.requests.length === 0) return {};
  const { bookings: _, ...counted } = all;
  const instants = Object.values(counted)
    .flat()
    .map((one: { at?: number; openedAt?: number }) => one.at ?? one.openedAt ?? 0);
  const [first, last] = [Math.min(...instants), Math.max(now, ...instants)];
  const [begin, end] = [Date.parse(range.from), Date.parse(range.to) + DAY];
  const days = (end - begin) / DAY;
  const step = days <= 2 ? HOUR : days <= 92 ? DAY : 7 * DAY;
  const rows: Record<string, Record<string, Cell>> = {};
  for (let start = begin; start < end && start <= last; start += step) {
    if (start + step <= first) continue;
    const isIn = (instant: number) => instant >= start && instant < start + step;
    const opened = ours.sessions.filter(({ openedAt }) => isIn(openedAt));
    const answered = ours.requests.filter(({ at }) => isIn(at));
    rows[start] = {
      sessions: opened.length,
      completed: opened.filter(isCompleted).length,
      ...(range.brand === null
        ? {
            requests: answered.length,
            errors: answered.filter(isFailed).length,
          }
        : {}),
    };
  }
  return rows;
}

type Names = PlainFacts['names'];
const nameIn = (names: Names, id: string) => names[id] ?? id;
const named = (names: Names, id: string) => both(id, nameIn(names, id));

function priceRows(prices: PlainActivity['prices'], names: Names): FigureRows {
  return rowsBy(prices, ({ brand }) => named(names, brand), priceCells);
}

function priceCells(some: PlainActivity['prices']) {
  const of = (answer: string) => some.filter((one) => one.answer === answer).length;
  return {
    asked: some.length,
    quoted: of('quoted'),
    unavailable: of('unavailable'),
    failed: some.length - of('quoted') - of('unavailable'),
    share: share(of('quoted'), some.length),
  };
}

function demand({ range: { brand }, ours, facts: { names } }: Question): Figures {
  const { wishes, missing, stays, amenities, sessions, shown, refusedOffers } = ours;
  const unmet = wishes.filter(({ reason }) => reason !== 'found');
  const found = wishes.length - unmet.length;
  const reasons = [...new Set(unmet.map(({ reason }) => reason))];
  const placeName = ({ place }: { place: string }) =>
    place === '' ? 'null=no known place' : named(names, place);
  const stayCells = (some: readonly unknown[]) => ({
    stays: some.length,
    share: share(some.length, stays.length),
  });
  const fates = (some: PlainActivity['wishes']) => {
    const of = (reason: string) => some.filter((one) => one.reason === reason).length;
    return {
      asked: some.length,
      share_unmet: share(some.length - of('found'), some.length),
      found: of('found'),
      ...Object.fromEntries(reasons.map((reason) => [reason, of(reason)])),
    };
  };
  const first = shown.filter(({ isFirst }) => isFirst).length;
  return {
    tiles: {
      sessions: sessions.length,
      wishes: wishes.length,
      found,
      unmet: unmet.length,
      share_unmet: share(unmet.length, wishes.length),
      stays: stays.length,
      ...(brand === null ? {} : { shown: shown.length, first, refused: refusedOffers.length }),
    },
    tables: {
      unmet: rowsBy(
        unmet,
        ({ reason }) => ofCode(reason),
        (some) => ({ wishes: some.length, share: share(some.length, unmet.length) }),
      ),
      unmet_by_month: heat(unmet, placeName),
      asked_by_month: heat(wishes, placeName),
      missing_places: Object.fromEntries(
        Object.entries(
          rowsBy(
            missing,
            ({ name }) => name || 'other names',
            (some) => ({ sessions: some.length }),
          ),
        ).filter(([name, { sessions: asked }]) => name === 'other names' || Number(asked) >= 3),
      ),
      months: rowsBy(wishes, ({ month }) => month || 'null=no month', fates),
      places: rowsBy(wishes, placeName, fates),
      ...(brand === null
        ? {}
        : {
            shown: rowsBy(shown, placeName, (some) => {
              const cheapest = some.filter(({ isFirst }) => isFirst).length;
              return { shown: some.length, first: cheapest, share_first: share(cheapest, some.length) };
            }),
            refused: rowsBy(
              refusedOffers,
              ({ reason }) => ofCode(reason),
              (some) => ({ stays: some.length, share: share(some.length, refusedOffers.length) }),
            ),
          }),
      parties: rowsBy(stays, ({ guests }) => both(guests, String(guests)), stayCells),
      lengths: rowsBy(
        stays,
        ({ nights }) => (nights > 30 ? 'more_than_30=more than 30' : both(nights, String(nights))),
        stayCells,
      ),
      lead_times: bucketRows(
        stays.map(({ leadDays }) => leadDays),
        LEADS,
        LEAD_NAMES,
        'stays',
      ),
      amenities: rowsBy(
        amenities,
        ({ amenity }) => named(names, amenity),
        (some) => ({ sessions: some.length }),
      ),
      ...(brand === null
        ? {
            entries: rowsBy(
              sessions,
              ({ brand: entry }) => (entry === '' ? 'null=direct' : named(names, entry)),
              (some) => ({ sessions: some.length, share: share(some.length, sessions.length) }),
            ),
          }
        : {}),
    },
  };
}

function heat(wishes: PlainActivity['wishes'], placeName: (one: { place: string }) => string): FigureRows {
  const months = [...new Set(wishes.map(({ month }) => month))];
  return rowsBy(wishes, placeName, (some) =>
    Object.fromEntries(
      months.map((month) => [
        month === '' ? 'no_month' : month,
        some.filter((one) => one.month === month).length,
      ]),
    ),
  );
}

function operators({ range: { brand }, ours, facts }: Question): Figures {
  const { prices, calls, refusedOffers, drifts, readings } = ours;
  const { health: everyone, names, now } = facts;
  const health = everyone.filter((one) => brand === null || one.brand === brand);
  const homes = health.flatMap((one) => one.homes ?? []);
  const refused = (one: OperatorHealth) =>
    new Set(one.rejections.filter(({ isRepaired }) => !isRepaired).map(({ reference }) => reference)).size +
    one.unlistedRejections;
  const operatorName = (one: { brand: string }) => named(names, one.brand);
  const askedOf = (name: string) => prices.filter((one) => operatorName(one) === name).length;
  const times = calls.map(({ milliseconds }) => milliseconds);
  const failures = prices.filter(({ answer }) => answer !== 'quoted' && answer !== 'unavailable');
  const gone = [prices, calls, refusedOffers, drifts, readings]
    .flat()
    .map((one) => one.brand)
    .filter((id) => !health.some((one) => one.brand === id));
  const failedReadings = readings.filter(({ end }) => end !== 'succeeded');
  return {
    tiles: {
      homes: homes.length === 0 ? null : homes.reduce((sum, one) => sum + one, 0),
      ...(brand === null
        ? {
            paused: health.filter(({ pausedAt }) => pausedAt !== null).length,
            failing: health.filter(
              (one) =>
                one.pausedAt === null &&
                (one.lastFailure !== null || one.breaker === 'open' || one.breaker === 'half_open'),
            ).length,
          }
        : {}),
      held_back: health.reduce((sum, one) => sum + refused(one), 0),
      share_quoted: share(prices.filter(({ answer }) => answer === 'quoted').length, prices.length),
      mean_latency: mean(times),
      share_refused: share(refusedOffers.length, prices.length),
      mean_drift: mean(drifts.map(({ permille }) => permille)),
    },
    tables: {
      state: {
        ...Object.fromEntries(health.map((one) => stateRow(one, refused(one), names, now))),
        ...Object.fromEntries(
          gone.map((id) => [`${id} | ${nameIn(names, id)} | not_on_network=not on the network`, NO_STATE]),
        ),
      },
      prices: rowsBy([...prices, ...calls], operatorName, (some) => {
        const own = some.filter((one) => 'answer' in one);
        const called = some.flatMap((one) => ('milliseconds' in one ? [one.milliseconds] : []));
        return { ...priceCells(own), calls: called.length, mean_time: mean(called) };
      }),
      failures: rowsBy(
        failures,
        (one) => `${operatorName(one)} | ${ofCode(one.answer)}`,
        (some) => ({
          homes: some.length,
          share: share(some.length, askedOf(operatorName(some[0] ?? { brand: '' }))),
        }),
      ),
      latency: rowsBy(calls, operatorName, (some) =>
        Object.fromEntries(
          [...TIMES.map((bound) => `up_to_${bound / 1000}_s`), 'more'].map((column, at) => [
            column,
            some.filter(({ milliseconds }) => bucketAt(milliseconds, TIMES) === at).length,
          ]),
        ),
      ),
      refusals: rowsBy(
        refusedOffers,
        (one) => `${operatorName(one)} | ${ofCode(one.reason)}`,
        (some) => ({
          stays: some.length,
          share: share(some.length, askedOf(operatorName(some[0] ?? { brand: '' }))),
        }),
      ),
      drift: rowsBy(drifts, operatorName, (some) => {
        const bounds = [-200, -50, -10, 10, 50, 200];
        const within = some.filter(({ permille }) => permille > -10 && permille <= 10).length;
        return {
          quotes: some.length,
          mean: mean(some.map(({ permille }) => permille)),
          share_exact: share(within, some.length),
          ...Object.fromEntries(
            [...bounds.map((bound) => `up_to_${bound}`), 'more'].map((column, at) => [
              column,
              some.filter(({ permille }) => bucketAt(permille, bounds) === at).length,
            ]),
          ),
        };
      }),
      readings: rowsBy(readings, operatorName, (some) => {
        const succeeded = some.filter(({ end }) => end === 'succeeded').length;
        return {
          readings: some.length,
          succeeded,
          failed: some.length - succeeded,
          share: share(succeeded, some.length),
          mean_time: mean(some.map(({ milliseconds }) => milliseconds)),
        };
      }),
      reading_failures: rowsBy(
        failedReadings,
        (one) => `${operatorName(one)} | ${ofCode(one.end)}`,
        (some) => ({
          readings: some.length,
          share: share(some.length, readings.filter((one) => one.brand === some[0]?.brand).length),
        }),
      ),
      held_back: Object.fromEntries(
        health.flatMap((one) =>
          one.rejections.map(({ reference, field, rule, value, remedy, isRepaired }) => [
            [
              operatorName(one),
              reference,
              field === '' ? 'null=listing' : both(field, field),
              rule,
              value,
              isRepaired ? 'yes' : 'no',
              remedy,
            ].join(' | '),
            {},
          ]),
        ),
      ),
    },
  };
}

const NO_STATE: Record<string, Cell> = {
  homes: null,
  held_back: null,
  last_read: null,
  age: null,
  oldest_calendar: null,
  waiting: null,
  asked: null,
  budget: null,
  failure: null,
  paused_since: null,
  system: null,
};

function stateRow(one: OperatorHealth, rejections: number, names: Names, now: number) {
  const state = () => {
    if (one.pausedAt !== null) return 'paused=paused';
    if (one.lastReadAt === null) {
      return one.lastFailure === null ? 'not_read_yet=not read yet' : 'cannot_be_read=cannot be read';
    }
    if (one.breaker === 'open') return 'prices_fail=prices fail';
    if (one.lastFailure !== null) return 'last_reading_failed=on offer, last reading failed';
    return one.breaker === 'half_open' ? 'prices_on_trial=on offer, prices tried again' : 'on_offer=on offer';
  };
  const cells: Record<string, Cell> = {
    homes: one.homes,
    held_back: rejections,
    last_read: one.lastReadAt,
    age: one.lastReadAt === null ? null : now - one.lastReadAt,
    oldest_calendar: one.oldestCalendarMs,
    waiting: one.calendarsWaiting,
    asked:
      one.pausedAt !== null
        ? { id: 'paused', text: 'none, paused' }
        : one.breaker &&
          {
            closed: { id: 'yes', text: 'go through' },
            half_open: { id: 'on_trial', text: 'on trial' },
            open: { id: 'fails', text: 'held back, they fail' },
          }[one.breaker],
    budget: one.budget && `${one.budget.used} of ${one.budget.of} in ${one.budget.perSeconds} s`,
    failure: one.lastFailure && { id: one.lastFailure, text: wordsFor(one.lastFailure) },
    paused_since: one.pausedAt,
    system: {
      id: one.system,
      text: { lodgify: 'Lodgify', open: 'open protocol' }[one.system] ?? one.system,
    },
  };
  return [`${one.brand} | ${nameIn(names, one.brand)} | ${state()}`, cells] as const;
}

function assistants({ range: { brand }, ours, facts: { registered, names } }: Question): Figures {
  const { sessions, searches, requests, shown } = ours;
  const completed = sessions.filter(isCompleted).length;
  const callers = [
    ...new Set(
      [
        ...(brand === null ? registered.map(({ id }) => id) : []),
        ...[...sessions, ...searches, ...(brand === null ? requests : shown)].map((one) => one.assistant),
      ].filter((id) => id !== ''),
    ),
  ];
  const sessionCells = (id: string) => {
    const own = sessions.filter((one) => one.assistant === id);
    const done = own.filter(isCompleted).length;
    return {
      sessions: own.length,
      completed: done,
      share_completed: share(done, own.length),
      searches: searches.filter((one) => one.assistant === id).length,
    };
  };
  const tiles = { sessions: sessions.length, share_completed: share(completed, sessions.length) };
  if (brand !== null) {
    const rows = callers.map((id) => [
      named(names, id),
      { ...sessionCells(id), shown: shown.filter((one) => one.assistant === id).length },
    ]);
    return { tiles, tables: { assistants: Object.fromEntries(rows) } };
  }
  const strangers = requests.filter((one) => one.assistant === '' && TURNED_AWAY.includes(one.answer));
  return {
    tiles: {
      ...tiles,
      approved: registered.filter(({ status }) => status === 'approved').length,
      over_limit: requests.filter(({ answer }) => OVER_LIMIT.includes(answer)).length,
      strangers: strangers.length,
    },
    tables: {
      assistants: Object.fromEntries(
        callers.map((id) => {
          const own = requests.filter((one) => one.assistant === id);
          const of = (answers: readonly string[]) =>
            own.filter(({ answer }) => answers.includes(answer)).length;
          const mistakes = own.filter(isMistaken).length;
          const refused = of(VALUE_REFUSED) + mistakes + of(OVER_LIMIT) + of(TURNED_AWAY);
          const status = registered.find((one) => one.id === id)?.status;
          const state = status === undefined ? 'not_registered=not registered' : both(status, status);
          const cells = {
            ...sessionCells(id),
            requests: own.length,
            values_refused: of(VALUE_REFUSED),
            mistakes,
            over_limit: of(OVER_LIMIT),
            turned_away: of(TURNED_AWAY),
            errors: own.filter(isFailed).length,
            share_refused: share(refused, own.length),
          };
          return [`${id} | ${nameIn(names, id)} | ${state}`, cells];
        }),
      ),
      limits: Object.fromEntries(
        registered.map(({ id, limits = {} }) => [
          id,
          {
            requests: limits.requests ?? null,
            searches: limits.searches ?? null,
            sessions: limits.sessions ?? null,
            megabytes: limits.megabytes ?? null,
          },
        ]),
      ),
      strangers: rowsBy(
        strangers,
        ({ answer }) => ofAnswer(answer),
        (some) => ({ requests: some.length, share: share(some.length, strangers.length) }),
      ),
    },
  };
}

function outcomes({ range: { brand }, ours, facts: { brands, names, timeZones } }: Question): Figures {
  const { bookings, stays } = ours;
  const isKnown = <Booking extends { quote: unknown }>(one: Booking) => one.quote !== null;
  const standing = bookings
    .toSorted((one, other) => one.bookedAt - other.bookedAt)
    .flatMap(({ quote, ...one }) =>
      quote === null || one.status === 'cancelled' ? [] : [{ ...one, quote }],
    );
  const quoted = standing.filter(
    ({ nxq }, at) => nxq === null || standing.findIndex((one) => one.nxq === nxq) === at,
  );
  type Quoted = (typeof quoted)[number];
  const isSame = (one: Quoted) => one.currency === one.quote.currency;
  const permille = (one: Quoted) =>
    Math.min(1000, ((one.amount - one.quote.amount) / one.quote.amount) * 1000);
  const waits = quoted.map(({ bookedAt, quote }) => Math.max(0, bookedAt - quote.retrievedAt));
  const compared = quoted.filter(isSame);
  const isEqual = (one: Quoted) => one.amount === one.quote.amount;
  const leadDays = ({ quote }: Quoted) => {
    const local = new Intl.DateTimeFormat('en-CA', { timeZone: timeZones[quote.place] ?? 'UTC' });
    const asked = Date.parse(local.format(quote.retrievedAt));
    return Math.max(0, (Date.parse(quote.checkIn) - asked) / DAY);
  };
  const leadName = (days: number) => LEAD_NAMES[bucketAt(days, LEADS)] ?? '';
  const placeName = (place: string) => (place === '' ? 'null=not known' : named(names, place));
  const conversion = (
    stayName: (one: (typeof stays)[number]) => string,
    bookingName: (one: Quoted) => string,
    everyName?: readonly string[],
  ): FigureRows => {
    const asked = brand === null ? stays : [];
    const seen = [...asked.map(stayName), ...quoted.map(bookingName)];
    const all = seen.length === 0 ? [] : (everyName ?? [...new Set(seen)]);
    const rows = all.map((name) => {
      const ofName = asked.filter((one) => stayName(one) === name).length;
      const booked = quoted.filter((one) => bookingName(one) === name).length;
      const cells =
        brand === null
          ? { stays: ofName, bookings: booked, share: share(booked, ofName) }
          : { bookings: booked };
      return [name, cells];
    });
    return Object.fromEntries(rows);
  };
  const sumOf = (some: typeof bookings, currency: string) =>
    some.reduce((sum, { amount }) => sum + amount, 0) / (currency === 'JPY' ? 1 : 100);
  return {
    tiles: {
      bookings: bookings.length,
      known: bookings.filter(isKnown).length,
      unknown: bookings.filter((one) => !isKnown(one)).length,
      cancelled: bookings.filter(({ status }) => status === 'cancelled').length,
      share_equal: share(compared.filter(isEqual).length, compared.length),
      mean_difference: mean(compared.map(permille)),
      mean_wait: mean(waits),
    },
    tables: {
      brands: {
        ...Object.fromEntries(
          brands
            .filter((id) => brand === null || id === brand)
            .map((id) => [named(names, id), { bookings: 0, known: 0, unknown: 0, cancelled: 0 }]),
        ),
        ...rowsBy(
          bookings,
          (one) => named(names, one.brand),
          (some) => ({
            bookings: some.length,
            known: some.filter(isKnown).length,
            unknown: some.filter((one) => !isKnown(one)).length,
            cancelled: some.filter(({ status }) => status === 'cancelled').length,
          }),
        ),
      },
      amounts: rowsBy(
        bookings,
        ({ currency }) => currency,
        (some) => {
          const booked = some.filter(({ status }) => status === 'booked');
          const cancelled = some.filter(({ status }) => status === 'cancelled');
          const currency = some[0]?.currency ?? '';
          return {
            bookings: booked.length,
            amount: sumOf(booked, currency),
            cancelled: cancelled.length,
            cancelled_amount: sumOf(cancelled, currency),
          };
        },
      ),
      accuracy: rowsBy(
        quoted,
        (one) => named(names, one.brand),
        (some) => {
          const same = some.filter(isSame);
          return {
            compared: same.length,
            equal: same.filter(isEqual).length,
            share_equal: share(same.filter(isEqual).length, same.length),
            more: same.filter((one) => one.amount > one.quote.amount).length,
            less: same.filter((one) => one.amount < one.quote.amount).length,
            mean_difference: mean(same.map(permille)),
            other_currency: some.length - same.length,
          };
        },
      ),
      by_assistant: conversion(
        (one) => named(names, one.assistant),
        ({ quote }) => named(names, quote.assistant),
      ),
      by_place: conversion(
        ({ place }) => placeName(place),
        ({ quote }) => placeName(quote.place),
      ),
      by_lead_time: conversion(
        (one) => leadName(one.leadDays),
        (one) => leadName(leadDays(one)),
        LEAD_NAMES,
      ),
      waits: bucketRows(
        waits,
        [0.25, 1, 6, 24, 72, 168].map((hours) => hours * HOUR),
        [
          'up_to_0.25_h=under 15 min',
          'up_to_1_h=15 min to 1 h',
          'up_to_6_h=1 to 6 h',
          'up_to_24_h=6 to 24 h',
          'up_to_72_h=24 h to 3 days',
          'up_to_168_h=3 to 7 days',
          'more=more than 7 days',
        ],
        'bookings',
      ),
    },
  };
}

const PLAIN_REPORTS: Readonly<Record<ReportId, (question: Question) => Figures>> = {
  today,
  demand,
  operators,
  assistants,
  outcomes,
};
