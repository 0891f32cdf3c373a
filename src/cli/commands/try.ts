import { createClient, type SearchAnswer, type StayValues } from '../../client/client.ts';
import { webPlatform } from '../../client/platform.ts';
import type { CliTools, CommandResult } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { UsageFault } from '../faults.ts';
import { shellOption } from '../shell-command.ts';
import { askForField } from '../try/ask-field.ts';
import { comparisonText } from '../try/comparison-text.ts';
import { enterService } from '../try/enter-service.ts';
import { openQuestion } from '../try/open-question.ts';
import { createSearchSession } from '../try/search-session.ts';
import { explainedServiceError } from '../try/service-faults.ts';
import { commandFor, LOCAL_SERVICE, type TryOptions, valuesIn } from '../try/stay-options.ts';
import { browse, openInBrowser, type Walk, walkToResult } from '../try/walk.ts';

/** A person is at the other end: what takes longer is said, and they decide. */
const MAX_RETRIES = 1;
const MAX_WAIT_MS = 2000;

/** Searches a running service over its public interface, as an assistant does: asks a person for each field, or goes by the options alone. */
export async function tryService(options: TryOptions, tools: CliTools): Promise<CommandResult> {
  const url = serviceAddress(options.url ?? LOCAL_SERVICE);
  try {
    return await search(url, options, tools);
  } catch (error) {
    throw explainedServiceError(error, url);
  }
}

async function search(url: string, options: TryOptions, tools: CliTools): Promise<CommandResult> {
  const { terminal, sendHttp, clock } = tools;
  const canAsk = terminal.canAsk && terminal.isSeen && options.json !== true;
  const client = createClient(
    { baseUrl: url, maxRetries: MAX_RETRIES, maxWaitMs: MAX_WAIT_MS, userAgent: 'staywire-try' },
    { ...webPlatform, fetch: sendHttp, after: clock.after },
  );
  const { token, source, brands } = await enterService(client, url, options.source ?? null, {
    canAsk,
    tools,
  });
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

/** Behind a brand's entrance no place is taken before it is clear whose homes are searched, so that is asked for first. */
async function firstAnswer(
  values: StayValues,
  source: string | null,
  /** Whether a person reads the name of the place. */
  isShown: boolean,
  walk: Walk,
): Promise<SearchAnswer> {
  const { session, canAsk, tools } = walk;
  if (source === null || values.brand_locked !== undefined) return sendNamed(values);
  const answer = await session.send({});
  if (answer.kind !== 'question' || answer.question.field !== 'brand_locked') return answer;
  if (!canAsk) throw openQuestion(answer.question, []);
  return sendNamed({ ...values, ...(await askForField(answer, session, tools)) });

  /** Only the step that asks for the place tells what people call it. */
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
