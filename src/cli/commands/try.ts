import {
  type ComparisonAnswer,
  type ComparisonBody,
  createClient,
  type ProblemAnswer,
  type SearchOutcome,
  type SearchQuestion,
  type SearchRefusal,
  type StayField,
  type StayOption,
  type StayValues,
  type StaywireClient,
  StaywireError,
} from '../../client/client.ts';
import { webPlatform } from '../../client/client-options.ts';
import { amountIn, counted, optionInFull, quoted, summaryFacts, summaryOf } from '../../stay/wording.ts';
import { type CliTools, type CommandResult, EXIT } from '../command.ts';
import { optionWords, SystemFault, shellCommand, shellOption, UsageFault } from '../faults.ts';
import { paragraph } from '../terminal.ts';

type TryOptions = {
  readonly url?: string;
  readonly source?: string;
  readonly brandLocked?: string;
  readonly destination?: string;
  readonly checkIn?: string;
  readonly checkOut?: string;
  readonly guests?: string;
  readonly amenity?: readonly string[];
  readonly json?: boolean;
};

/** Where `npm start` and `staywire serve` listen by default. */
export const LOCAL_SERVICE = 'http://127.0.0.1:8080';

/** Short, because a person waits: after that they decide whether to try again. */
const PATIENCE = { maxRetries: 1, maxWaitMs: 2000 };

type Search = {
  readonly client: StaywireClient;
  readonly source: string | null;
  readonly canAsk: boolean;
  readonly tools: CliTools;
};

type Found = Extract<SearchOutcome, { readonly kind: 'comparison' }>;

/** Searches a running service over its public interface, as an assistant does: asks a person for each field, or uses the options alone. */
export async function tryService(options: TryOptions, tools: CliTools): Promise<CommandResult> {
  const { terminal, sendHttp, clock } = tools;
  const url = serviceAddress(options.url ?? LOCAL_SERVICE);
  const client = createClient(
    { baseUrl: url, ...PATIENCE, userAgent: 'staywire-try' },
    { ...webPlatform, fetch: sendHttp, after: clock.after },
  );
  const canAsk = terminal.canAsk && terminal.isSeen && options.json !== true;
  const search: Search = { client, source: options.source ?? null, canAsk, tools };
  try {
    const found = await find(valuesIn(options), options.amenity ?? [], search);
    if (!canAsk) {
      return { exit: EXIT.done, json: found.body, text: comparisonText(found.body, clock.now()) };
    }
    const { body } = await browse(found, search);
    const again = commandFor(body, url, search.source);
    return { exit: EXIT.done, json: body, text: `\nThe same again:\n  ${again}` };
  } catch (error) {
    throw error instanceof StaywireError ? faultOfService(error, url) : error;
  }
}

function serviceAddress(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.href.replace(/\/$/, '');
  throw new UsageFault(
    [`${shellOption('--url', text)} is not the address of a service.`],
    `write it in a form such as ${LOCAL_SERVICE}`,
  );
}

/** A whole search in a new session, with a question for each value that is missing or refused. */
async function find(
  values: StayValues,
  amenities: readonly string[],
  { client, source, canAsk, tools }: Search,
): Promise<Found> {
  const { terminal, signal } = tools;
  const { amenities: _, ...stay } = values;
  const outcome = await client.search({
    ...stay,
    amenities,
    source,
    signal,
    ...(canAsk ? { choose: (question) => askFor(question, tools) } : {}),
    onProgress: (progress) => {
      if (progress.kind === 'retrying')
        terminal.note(`${progress.because}: trying again in ${Math.ceil(progress.delayMs / 1000)} s …`);
    },
  });
  if (outcome.kind === 'problem') throw errorOf(outcome);
  if (outcome.kind === 'stopped') throw openQuestion(outcome.question);
  const refusals = [...outcome.refusals, ...outcome.unmetAmenities.map(({ refusal }) => refusal)];
  if (refusals.length > 0 && !canAsk) throw new UsageFault(refusals.map(refusalText));
  warnOf(refusals, tools);
  return outcome;
}

const OPTION_OF: Readonly<Record<string, string>> = {
  brand_locked: '--brand-locked',
  destination: '--destination',
  check_in_month: '--check-in',
  check_in_day: '--check-in',
  check_out: '--check-out',
  guests: '--guests',
  amenities: '--amenity',
};

const QUESTIONS: Readonly<Record<string, string>> = {
  brand_locked: 'Which homes?',
  destination: 'Where to?',
  check_in_month: 'Month of arrival?',
  check_in_day: 'Day of arrival?',
  check_out: 'Day of departure?',
  guests: 'How many people? Children and infants count too',
};

/** With `YYYY-MM` for the arrival, the service offers the days of that month. */
function valuesIn({ brandLocked, destination, checkIn, checkOut, guests }: TryOptions): StayValues {
  const isMonth = /^\d{4}-\d{1,2}$/.test(checkIn ?? '');
  return {
    // The service refuses any other text.
    ...(brandLocked === undefined ? {} : { brand_locked: brandLocked as 'true' | 'false' }),
    ...(destination === undefined ? {} : { destination }),
    ...(checkIn === undefined ? {} : { [isMonth ? 'check_in_month' : 'check_in_day']: checkIn }),
    ...(checkOut === undefined ? {} : { check_out: checkOut }),
    ...(guests === undefined ? {} : { guests }),
  };
}

const TYPED = '(typed)';

async function askFor(
  { field, choices, total, refusal }: SearchQuestion,
  tools: Pick<CliTools, 'terminal'>,
): Promise<string> {
  const { terminal } = tools;
  if (refusal) warnOf([refusal], tools);
  const [message, option] = [QUESTIONS[field] ?? `${field}?`, optionFor(field)];
  const others = total > choices.length ? [{ value: TYPED, label: 'Another one, to be typed …' }] : [];
  const offered = choices.map(({ value, label }) => ({ value, label }));
  const chosen =
    offered.length === 0 ? TYPED : await terminal.ask({ message, option, choices: [...offered, ...others] });
  return chosen === TYPED ? terminal.ask({ message, option }) : chosen;
}

function optionFor(field: string): string {
  return OPTION_OF[field] ?? field;
}

/** A missing or refused value where no person can be asked, with the values on offer as text and as data. */
function openQuestion({ field, choices, total, hint, refusal }: SearchQuestion): UsageFault {
  const option = optionFor(field);
  const values = choices.map(({ value }) => value);
  const more = total - values.length;
  return new UsageFault(
    [refusal ? refusalText(refusal) : `${option} is not given.${hint === null ? '' : ` ${hint}`}`],
    values.length > 0
      ? `give ${option} ${field === 'check_in_month' ? 'a day, or first a month out of' : 'one of'} ${values.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
      : null,
    null,
    { question: { field, option, allowed_values: values, total } },
  );
}

/** Sentences that tell an assistant to ask the traveller, who is reading here. */
const TO_ASSISTANTS =
  / (?:Ask the traveller before you follow|No value on offer is near it|If it is not clear what was meant)\b.*$/;

/** `--guests: No home that fits the other answers sleeps so many; 8 is the most. Nearest: 8, 7.` */
function refusalText({ field, message, suggestions = [] }: SearchRefusal): string {
  const said = message.replace(/^Invalid value for field: \w+\.?\s*/, '').replace(TO_ASSISTANTS, '');
  const near = suggestions.length > 0 ? ` Nearest: ${suggestions.join(', ')}.` : '';
  return `${field === undefined ? '' : `${optionFor(field)}: `}${said || message}${near}`;
}

function warnOf(refusals: readonly SearchRefusal[], { terminal }: Pick<CliTools, 'terminal'>): void {
  for (const one of refusals)
    terminal.note(paragraph(`${terminal.styled('warning', '!')} ${refusalText(one)}`, '  '));
}

/** A new arrival needs a new departure, so both are asked for. */
const CHANGES: readonly (readonly [StayField, string])[] = [
  ['destination', 'the place'],
  ['check_in_day', 'arrival and departure'],
  ['check_out', 'the departure'],
  ['guests', 'the number of people'],
  ['brand_locked', 'this brand alone, or every brand'],
];

/** Shows a result and carries out what the person chooses until they quit. Resolves with the last result. */
async function browse(first: ComparisonAnswer, search: Search): Promise<ComparisonAnswer> {
  const { client, tools } = search;
  const { terminal, clock, signal } = tools;
  let set = first;
  let isNew = true;
  for (;;) {
    const { body } = set;
    if (isNew) terminal.print(`\n${comparisonText(body, clock.now())}`);
    isNew = true;
    const next = await askWhatNext(body);
    if (next === 'quit') return set;
    if (next === 'show') {
      const rank = await choose(
        'Which home?',
        body.results.map((option) => ({ value: String(option.rank), label: titleOf(option) })),
      );
      const option = body.results.find((one) => String(one.rank) === rank);
      if (option) terminal.print(`\n${detailsText(option, body, clock.now())}`);
      isNew = false;
    } else if (next === 'change') {
      const fields = CHANGES.filter(([field]) => Object.hasOwn(body.available_requests.change, field));
      const field = await choose(
        'Change what?',
        fields.map(([value, label]) => ({ value, label })),
      );
      set = await find(valuesWithout(field, body), body.applied_filters.amenities, search);
    } else {
      const amenity = next === 'clear' ? null : await choose('Only homes with', amenitiesOf(body));
      const answer = await client.refine(set.session, amenity, { signal });
      if (answer.kind === 'problem') throw errorOf(answer);
      if (answer.kind === 'comparison') set = answer;
      if ('refusals' in answer) warnOf(answer.refusals, tools);
    }
  }

  function askWhatNext({ results, applied_filters, available_requests }: ComparisonBody): Promise<string> {
    const hasAmenities = (available_requests.refine?.options.length ?? 0) > 0;
    return choose('What next?', [
      ...(results.length > 0 ? [{ value: 'show', label: 'Show one home in full' }] : []),
      ...(hasAmenities ? [{ value: 'narrow', label: 'Only homes with …' }] : []),
      ...(applied_filters.amenities.length > 0 ? [{ value: 'clear', label: 'All homes again' }] : []),
      { value: 'change', label: 'Change the stay' },
      { value: 'quit', label: 'Quit' },
    ]);
  }

  function choose(message: string, choices: readonly { value: string; label: string }[]): Promise<string> {
    return terminal.ask({ message, option: '--json', choices });
  }
}

function amenitiesOf({ available_requests: { refine } }: ComparisonBody) {
  return (refine?.options ?? []).map(({ value, match_count, of }) => ({
    value,
    label: `${value} · ${match_count} of ${of}`,
  }));
}

/** The values of the result but for one field, which is then asked for again. */
function valuesWithout(field: string, { query }: ComparisonBody): StayValues {
  const values = {
    ...(query.brand_locked === undefined ? {} : { brand_locked: query.brand_locked }),
    destination: query.destination,
    check_in_day: query.check_in,
    check_out: query.check_out,
    guests: query.guests,
  };
  const dropped = field === 'check_in_day' ? ['check_in_day', 'check_out'] : [field];
  return Object.fromEntries(Object.entries(values).filter(([name]) => !dropped.includes(name)));
}

function comparisonText(body: ComparisonBody, now: number): string {
  const { query, comparison_set: set, applied_filters, results } = body;
  const silent = set.coverage.filter(({ failed }) => failed > 0);
  return [
    `${query.destination} · ${query.check_in} to ${query.check_out} · ${counted(query.nights, 'night')} · ${counted(query.guests, 'guest')}`,
    paragraph(
      [
        `${set.truncated ? `${set.options_count} of ${counted(set.total_matches, 'home')}` : counted(set.options_count, 'home')}, cheapest first.`,
        ...(set.selection.complete ? [] : ['Not every home could be priced, so one may be cheaper.']),
        ...(set.totals_include_taxes_and_fees ? ['Totals include all taxes and fees.'] : []),
        ...(applied_filters.amenities.length > 0
          ? [`Only with: ${applied_filters.amenities.join(', ')}.`]
          : []),
        ...silent.map(
          ({ brand, failed }) => `No usable answer from ${brand} for ${counted(failed, 'home')}.`,
        ),
        ...(results.length === 0 ? [body.notes] : []),
      ].join(' '),
    ),
    ...results.flatMap((option) => [
      '',
      titleOf(option),
      `   ${paragraph(factsOf(option, now).join(' · '), '   ')}`,
    ]),
  ].join('\n');
}

/** `1. EUR 300.00 “House a”, Brand acme` */
function titleOf({ rank, name, brand, quote }: StayOption): string {
  return `${rank}. ${quote.currency} ${amountIn(quote.amount, quote.currency)}  ${quoted(name)}, ${brand}`;
}

function factsOf(option: StayOption, now: number): readonly string[] {
  return summaryFacts(summaryOf(option, now), option.quote.currency, 'see the home in full');
}

/** Addresses have separate lines, to be copied. */
function detailsText(option: StayOption, { comparison_set }: ComparisonBody, now: number): string {
  const lines = optionInFull(option, comparison_set.totals_include_taxes_and_fees, now);
  return [titleOf(option), ...lines.map((line) => paragraph(line, '  '))].join('\n');
}

/** The command line that leads to the same result without a question. */
function commandFor(
  { query, applied_filters, available_requests }: ComparisonBody,
  url: string,
  source: string | null,
): string {
  // A session without a destination step refuses the option.
  const hasDestination = Object.hasOwn(available_requests.change, 'destination');
  return shellCommand([
    'try',
    ...(url === LOCAL_SERVICE ? [] : optionWords('--url', url)),
    ...(source === null ? [] : optionWords('--source', source)),
    ...(query.brand_locked === undefined ? [] : ['--brand-locked', String(query.brand_locked)]),
    ...(hasDestination ? optionWords('--destination', query.destination) : []),
    ...['--check-in', query.check_in, '--check-out', query.check_out, '--guests', String(query.guests)],
    ...applied_filters.amenities.flatMap((amenity) => optionWords('--amenity', amenity)),
  ]);
}

function errorOf({ message, ...problem }: ProblemAnswer): StaywireError {
  return new StaywireError(message, problem);
}

const LET_IN =
  'its owner lets this machine in by its address: STAYWIRE_TRUSTED_NETWORKS in .env (docs/running.md), and a restart; the demo of npm start lets in every program on its own machine';

/** The fault of a service that cannot be used or cannot continue, with what to do about it. */
function faultOfService(error: StaywireError, url: string): UsageFault {
  const { code, message, retryAfterSeconds, body } = error;
  switch (code) {
    case 'network_error':
      return new UsageFault(
        [`Nothing answers at ${url}.`],
        'start the demo with npm start, or your own network with staywire serve; --url names a service elsewhere',
      );
    case 'unreadable_answer':
      return new UsageFault([`What answers at ${url} is not Staywire.`], 'name the service with --url');
    case 'access_denied':
      return new UsageFault([`${url} does not let this machine in.`], LET_IN);
    case 'unknown_source': {
      const sources = body && 'sources' in body ? (body.sources ?? []) : [];
      const next = sources.length > 0 ? `give --source one of ${sources.join(', ')}` : 'leave --source out';
      return new UsageFault(['There is no such source on this network.'], next, null, { code, sources });
    }
    default: {
      const wait = retryAfterSeconds === null ? {} : { retry_after_seconds: retryAfterSeconds };
      const next = `run it again${retryAfterSeconds === null ? '' : ` in ${retryAfterSeconds} s`}`;
      return new SystemFault([message], next, null, { code, ...wait });
    }
  }
}
