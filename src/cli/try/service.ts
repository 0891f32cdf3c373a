import { type ProblemAnswer, type SendHttp, StaywireError } from '../../client/client.ts';
import { SystemFault, UsageFault } from '../faults.ts';

const LET_IN =
  'its owner lets this machine in by its address: STAYWIRE_TRUSTED_NETWORKS in .env (docs/running.md), and a restart; the demo of npm start lets in every program on its own machine';

type ServiceProblem = Pick<ProblemAnswer, 'code' | 'message' | 'retryAfterSeconds'> & {
  readonly body: StaywireError['body'];
};

/** Explains an error of the client; returns any other error unchanged. */
export function explainedServiceError(error: unknown, url: string): unknown {
  return error instanceof StaywireError ? faultOfService(error, url) : error;
}

/** The fault of a service that cannot be used or cannot continue, with what to do about it. */
export function faultOfService(
  { code, message, retryAfterSeconds, body }: ServiceProblem,
  url: string,
): UsageFault {
  switch (code) {
    case 'network_error':
      return new UsageFault(
        [`Nothing answers at ${url}.`],
        'start the demo with npm start, or your own network with staywire serve; --url names a service elsewhere',
      );
    case 'timeout':
      return new SystemFault([`${url} does not answer in time.`], 'try again in a minute');
    case 'unreadable_answer':
      return new UsageFault([`What answers at ${url} is not Staywire.`], 'name the service with --url');
    case 'unexpected_redirect':
      return new UsageFault([`${url}: ${message}`], 'name the address of the service itself with --url');
    case 'access_denied':
      return new UsageFault([`${url} does not let this machine in.`], LET_IN);
    case 'unknown_source': {
      const sources = body && 'sources' in body ? (body.sources ?? []) : [];
      return new UsageFault(
        ['There is no such source on this network.'],
        sources.length > 0 ? `give --source one of ${sources.join(', ')}` : 'leave --source out',
        null,
        { code, sources },
      );
    }
    default:
      return new SystemFault([message], nextStep(code, retryAfterSeconds), null, {
        code,
        ...(retryAfterSeconds === null ? {} : { retry_after_seconds: retryAfterSeconds }),
      });
  }
}

function nextStep(code: string, retryAfterSeconds: number | null): string | null {
  if (retryAfterSeconds !== null) return `run it again in ${retryAfterSeconds} s`;
  return code === 'unsupported_version' ? 'use a staywire of the same version as the service' : null;
}

export type NetworkBrand = { readonly source: string; readonly name: string };

/** The brands on the entry page of a service; none when the page cannot be read, because a search works without them. */
export async function brandsOfService(
  url: string,
  { sendHttp, signal }: { readonly sendHttp: SendHttp; readonly signal: AbortSignal },
): Promise<readonly NetworkBrand[]> {
  try {
    const answer = await sendHttp(new URL('/', url).href, {
      headers: { accept: 'application/json' },
      signal,
    });
    const page: unknown = await answer.json();
    const sources: unknown = Reflect.get(Object(page), 'sources');
    return Array.isArray(sources) ? sources.flatMap(brandIn) : [];
  } catch {
    signal.throwIfAborted();
    return [];
  }
}

function brandIn(entry: unknown): readonly NetworkBrand[] {
  const { source, name }: { source?: unknown; name?: unknown } = Object(entry);
  return typeof source === 'string' && typeof name === 'string' ? [{ source, name }] : [];
}
