import type { OperatorAccess } from '../connectors/connector.ts';
import type { RequestBudget } from '../limits/request-budget.ts';
import type { OperatorClient, OperatorRequest } from '../outbound/operator-client.ts';
import type { BookingSystem } from '../quotes/booking-system.ts';

type ClientAnswer = Awaited<ReturnType<OperatorClient['send']>>;
type RememberedAnswer =
  | { readonly kind: 'answer'; readonly answer: ClientAnswer }
  | { readonly kind: 'failure'; readonly failure: unknown };

/** Reads the catalogue of a vendor once, for two booking systems that understand it differently. */
export type CatalogueMemory = {
  readonly access: OperatorAccess;
  /** Its catalogue is read from the vendor, and what the vendor says is remembered. */
  remembering(system: BookingSystem): BookingSystem;
  /** Its catalogue is what was remembered; it costs the account nothing, and each answer is forgotten when it is used. */
  fromMemory(system: BookingSystem): BookingSystem;
};

const FREE = { done: () => undefined };

export function createCatalogueMemory({
  openClient,
  openAccount,
  feedPace,
}: OperatorAccess): CatalogueMemory {
  const remembered = new Map<string, RememberedAnswer>();
  let phase: 'passing' | 'remembering' | 'from_memory' = 'passing';
  let budget: RequestBudget | undefined;

  async function remember(key: string, sent: Promise<ClientAnswer>): Promise<ClientAnswer> {
    try {
      const answer = await sent;
      remembered.set(key, { kind: 'answer', answer: copyOf(answer) });
      return answer;
    } catch (failure) {
      remembered.set(key, { kind: 'failure', failure });
      throw failure;
    }
  }

  /** The first reading did not ask for it, so nothing was paid for it yet. */
  async function sendWithinBudget(
    send: () => Promise<ClientAnswer>,
    signal: AbortSignal,
  ): Promise<ClientAnswer> {
    const permit = await budget?.take({ urgency: 'background', withinMs: Number.POSITIVE_INFINITY, signal });
    try {
      return await send();
    } finally {
      permit?.done();
    }
  }

  async function during<T>(wanted: typeof phase, work: () => Promise<T>): Promise<T> {
    phase = wanted;
    try {
      return await work();
    } finally {
      phase = 'passing';
    }
  }

  return {
    access: {
      openClient(settings) {
        const client = openClient(settings);
        return {
          send(request, options) {
            const key = keyOf(settings.baseUrl, request);
            const send = () => client.send(request, options);
            if (phase === 'remembering') return remember(key, send());
            if (phase === 'passing') return send();
            const known = remembered.get(key);
            if (!known) return sendWithinBudget(send, options.signal);
            remembered.delete(key);
            return known.kind === 'answer' ? Promise.resolve(known.answer) : Promise.reject(known.failure);
          },
          close: () => client.close(),
        };
      },
      openAccount(terms) {
        const account = openAccount(terms);
        const shared = account.budget;
        budget = shared;
        return {
          ...account,
          budget: {
            ...shared,
            take: (options) => (phase === 'from_memory' ? Promise.resolve(FREE) : shared.take(options)),
          },
        };
      },
      feedPace,
    },
    remembering: (system) => ({
      ...system,
      catalogue: (...options) => during('remembering', () => system.catalogue(...options)),
    }),
    fromMemory: (system) => ({
      ...system,
      catalogue: (...options) => during('from_memory', () => system.catalogue(...options)),
    }),
  };
}

function keyOf(baseUrl: string, { method, path, body = '' }: OperatorRequest): string {
  return [method, baseUrl, path, body].join('\n');
}

/** Whoever gets an answer gives its memory away. */
function copyOf(answer: ClientAnswer): ClientAnswer {
  return answer.kind === 'document' ? { ...answer, bytes: answer.bytes.slice() } : answer;
}
