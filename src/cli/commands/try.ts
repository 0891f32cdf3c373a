import {
  type ComparisonAnswer,
  type ComparisonBody,
  createClient,
  type SearchAnswer,
  type StayField,
  type StayValues,
  type StaywireClient,
  StaywireError,
} from '../../client/client.ts';
import { webPlatform } from '../../client/client-options.ts';
import { type CliTools, type CommandResult, EXIT } from '../command.ts';
import { shellOption, UsageFault } from '../faults.ts';
import { paragraph } from '../terminal.ts';
import { askForField, askWhatNext, openQuestion, refusalText } from '../try/ask.ts';
import { comparisonText, optionText } from '../try/result-text.ts';
import {
  brandsOfService,
  commandFor,
  createSearchSession,
  faultOfService,
  LOCAL_SERVICE,
  type SearchSession,
  type TryOptions,
  valuesIn,
} from '../try/search-session.ts';

/** Short, because a person waits: after that they decide whether to try again. */
const MAX_RETRIES = 1;
const MAX_WAIT_MS = 2000;

/** Searches a running service over its public interface, as an assistant does: asks a person for each field, or uses the options alone. */
export async function tryService(options: TryOptions, tools: CliTools): Promise<CommandResult> {
  const url = serviceAddress(options.url ?? LOCAL_SERVICE);
  try {
    return await search(url, options, tools);
  } catch (error) {
    throw error instanceof StaywireError ? faultOfService(error, url) : error;
  }
}

async function search(url: string, options: TryOptions, tools: CliTools): Promise<CommandResult> {
  const { terminal, sendHttp, clock } = tools;
  const canAsk = terminal.canAsk && terminal.isSeen && options.json !== true;
  const client = createClient(
    { baseUrl: url, maxRetries: MAX_RETRIES, maxWaitMs: MAX_WAIT_MS, userAgent: 'staywire-try' },
    { ...webPlatform, fetch: sendHttp, after: clock.after },
  );
  const { token, source, brands } = await enterService(client, url, options.source ?? null, canAsk, tools);
  const session = createSearchSession({ client, source, brands, token, tools });
  const walk = { session, url, canAsk, tools };
  const isShown = options.json !== true;
  const complete = await walkToResult(await firstAnswer(valuesIn(options), source, isShown, walk), walk);
  const amenities = options.amenity ?? [];
  const result =
    amenities.length > 0 ? await walkToResult(await session.narrow(complete, amenities), walk) : complete;
  const [cheapest] = result.body.results;
  const isOpened = options.open && cheapest ? await openInBrowser(cheapest.url, tools) : true;
  const exit = isOpened ? EXIT.done : EXIT.faults;
  if (!canAsk) {
    const { body } = result;
    const text = comparisonText(body, session.nameOf(body.query.destination), terminal);
    return { exit, json: body, text };
  }
  const last = await browse(result, walk);
  const hasDestination = Object.hasOwn(last.available_requests.change, 'destination');
  return {
    exit,
    json: last,
    text: `\nThe same again:\n  ${commandFor(last, session.amenities, { url, source }, hasDestination)}`,
  };
}

/** A session of a brand takes no place before `brand_locked` is answered, so that is asked first. */
async function firstAnswer(
  values: StayValues,
  source: string | null,
  /** Whether the result is printed as text, with the name of the place. */
  isShown: boolean,
  walk: Walk,
): Promise<SearchAnswer> {
  const { session, canAsk, tools } = walk;
  if (source === null || values.brand_locked !== undefined) return sendNamed(values);
  const answer = await session.send({});
  if (answer.kind !== 'question' || answer.question.field !== 'brand_locked') return answer;
  if (!canAsk) throw openQuestion(answer.question, []);
  return sendNamed({ ...values, ...(await askForField(answer, session, tools)) });

  /** Sends a step without the place first: only the question for the place has the names of places. */
  async function sendNamed(stay: StayValues): Promise<SearchAnswer> {
    if (stay.destination !== undefined && isShown) {
      const { brand_locked } = stay;
      const step = await session.send(brand_locked === undefined ? {} : { brand_locked });
      if (step.kind === 'problem') return step;
    }
    return session.send(stay);
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

/** The choice of no source, which searches every brand. */
const EVERY_BRAND = '';

/** Opens a session for the wanted brand; for an unknown brand asks the person which one was meant. */
async function enterService(
  client: Pick<StaywireClient, 'open'>,
  url: string,
  wanted: string | null,
  canAsk: boolean,
  tools: CliTools,
) {
  const enter = async (source: string | null) => ({
    token: (await client.open({ source, signal: tools.signal })).session,
    source,
    brands: await brandsOfService(url, tools),
  });
  try {
    return await enter(wanted);
  } catch (error) {
    const isUnknown = error instanceof StaywireError && error.code === 'unknown_source';
    const brands = isUnknown && canAsk ? await brandsOfService(url, tools) : [];
    if (brands.length === 0) throw error;
    const source = await tools.terminal.ask({
      message: 'There is no such source. Which one?',
      option: '--source',
      choices: [
        { value: EVERY_BRAND, label: 'None: homes of every brand' },
        ...brands.map((brand) => ({ value: brand.source, label: brand.name })),
      ],
    });
    return enter(source === EVERY_BRAND ? null : source);
  }
}

type Walk = {
  readonly session: SearchSession;
  readonly url: string;
  /** Whether a person is asked for missing and refused values; otherwise they are a fault. */
  readonly canAsk: boolean;
  readonly tools: CliTools;
};

/** Answers question after question until there is a result. */
async function walkToResult(
  from: SearchAnswer,
  { session, url, canAsk, tools }: Walk,
): Promise<ComparisonAnswer> {
  const { terminal } = tools;
  let answer = from;
  for (;;) {
    switch (answer.kind) {
      case 'comparison': {
        const [refusal] = answer.refusals;
        if (refusal && !canAsk)
          throw openQuestion(
            { field: refusal.field ?? '', choices: [], total: 0, hint: null },
            answer.refusals,
          );
        for (const one of answer.refusals) warn(refusalText(one));
        return answer;
      }
      case 'question':
        if (!canAsk) throw openQuestion(answer.question, []);
        answer = await session.send(await askForField(answer, session, tools));
        break;
      case 'refusal': {
        const { question, refusals } = answer;
        if (!canAsk) throw openQuestion(question, refusals);
        for (const one of refusals) warn(refusalText(one));
        // A refused filter leaves the result unchanged.
        if (question.field === 'amenities' && session.result) return session.result;
        answer = await session.send(await askForField(answer, session, tools));
        break;
      }
      case 'problem': {
        const fault = faultOfService(answer, url);
        if (!canAsk || answer.retryAfterSeconds === null) throw fault;
        warn(fault.faults.join(' '));
        const next = await terminal.ask({
          message: 'What next?',
          option: '--json',
          choices: [
            {
              value: 'again',
              label: `Ask again; the service suggests to wait ${answer.retryAfterSeconds} s`,
            },
            { value: 'quit', label: 'Quit' },
          ],
        });
        if (next === 'quit') throw fault;
        answer = await session.startOver(session.received, session.amenities);
      }
    }
  }

  function warn(text: string): void {
    terminal.note(paragraph(`${terminal.styled('warning', '!')} ${text}`, '  '));
  }
}

/** Shows a result and carries out what the person chooses until they quit. Resolves with the last result. */
async function browse(first: ComparisonAnswer, walk: Walk): Promise<ComparisonBody> {
  const { session, tools } = walk;
  const { terminal } = tools;
  let result = first;
  show();
  for (;;) {
    const next = await askWhatNext(result.body, terminal);
    switch (next.kind) {
      case 'quit':
        return result.body;
      case 'show':
        terminal.print(`\n${optionText(next.option, terminal)}`);
        break;
      case 'open':
        await openInBrowser(next.option.url, tools);
        break;
      case 'narrow':
        await goOn(session.narrow(result, [next.amenity]));
        break;
      case 'clear':
        await goOn(session.clearFilters());
        break;
      case 'again':
        await goOn(session.startOver(session.received, session.amenities));
        break;
      case 'change':
        await goOn(changed(next.field, session));
    }
  }

  async function goOn(answer: Promise<SearchAnswer>): Promise<void> {
    result = await walkToResult(await answer, walk);
    show();
  }

  function show(): void {
    const { body } = result;
    terminal.print(`\n${comparisonText(body, session.nameOf(body.query.destination), terminal)}`);
  }
}

/** Resolves with whether the page was opened; otherwise prints its address. */
async function openInBrowser(address: string, { terminal, showPage }: CliTools): Promise<boolean> {
  const isShown = await showPage(address);
  terminal.note(
    isShown
      ? `Opened ${address}`
      : `${terminal.styled('warning', '!')} The page could not be opened here. Its address, to copy:\n  ${address}`,
  );
  return isShown;
}

/** Starts a new search with all values but this one, because the values on offer for a field depend on the others. */
function changed(field: StayField, session: SearchSession): Promise<SearchAnswer> {
  const { received, amenities } = session;
  if (field === 'brand_locked')
    return session.send({ brand_locked: String(received.brand_locked) !== 'true' });
  const dropped: readonly StayField[] = field === 'check_in_day' ? ['check_in_day', 'check_out'] : [field];
  const kept = Object.entries(received).filter(([name]) => !dropped.includes(name as StayField));
  return session.startOver(Object.fromEntries(kept) as StayValues, amenities);
}
