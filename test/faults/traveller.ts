import assert from 'node:assert/strict';
import { Agent, request as send } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

// biome-ignore lint/suspicious/noExplicitAny: a JSON body of unknown shape is what a client gets.
type Body = any;
type Answer = {
  readonly status: number;
  readonly body: Body;
  readonly raw: string;
  readonly replayed: boolean;
};
type Values = Readonly<Record<string, string>>;

/** What may go wrong for a caller while stores and nodes fail, and is worth asking again. */
const RETRYABLE = new Set(['storage_unavailable', 'overloaded', 'upstream_unavailable']);
const ANSWERED_WITHIN_MS = 20_000;
const PATIENCE_MS = 60_000;

/** What the travellers of a run have seen together. */
export type Sightings = {
  sessions: number;
  /** Changes that were acknowledged. */
  acknowledged: number;
  /** Of these, sent twice at once. */
  duplicated: number;
  /** And sent at once with another one of the same session. */
  concurrent: number;
  results: number;
  /** Requests that got no answer at all. */
  unanswered: number;
  /** Error codes and how often they came. */
  readonly errors: Map<string, number>;
  /** Identifiers of the quotes that were shown. */
  readonly quotes: Set<string>;
  /** Sessions that were gone after Redis had forgotten them. */
  forgotten: number;
};

export function noSightings(): Sightings {
  return {
    sessions: 0,
    acknowledged: 0,
    duplicated: 0,
    concurrent: 0,
    results: 0,
    unanswered: 0,
    errors: new Map(),
    quotes: new Set(),
    forgotten: 0,
  };
}

export type Stay = { readonly checkIn: string; readonly checkOuts: readonly string[] };

class SessionForgotten extends Error {}

/**
 * One traveller's search. Every change has a key of its own and is repeated under it until it is answered; many are sent twice at once, and some
 * at once with another change, so that two nodes carry them out. Throws when an answer contradicts what was acknowledged before, when
 * something was carried out twice, or when another assistant sees the session.
 */
export async function travel({
  origin,
  address,
  stranger,
  name,
  stay,
  random,
  seen,
  mayBeForgotten,
}: {
  readonly origin: string;
  /** From which its assistant calls, and from which another one does. */
  readonly address: string;
  readonly stranger: string;
  /** Unlike that of any other traveller. */
  readonly name: string;
  readonly stay: Stay;
  readonly random: () => number;
  readonly seen: Sightings;
  /** Whether Redis has lost what it knew since that moment. */
  readonly mayBeForgotten: (openedAt: number) => boolean;
}): Promise<void> {
  const agents = new Map([address, stranger].map((from) => [from, new Agent({ keepAlive: false })]));
  const openedAt = performance.now();
  let keys = 0;
  const newKey = () => {
    keys += 1;
    return `${name}-${keys}`;
  };
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(random() * items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  };

  async function askOnce(
    from: string,
    method: string,
    path: string,
    values: Values | null,
    key: string | null,
  ) {
    return new Promise<Answer>((resolve, reject) => {
      const request = send(`${origin}${path}`, {
        method,
        agent: agents.get(from),
        localAddress: from,
        signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
        headers: {
          ...(values ? { 'content-type': 'application/json' } : {}),
          ...(key === null ? {} : { 'idempotency-key': key }),
        },
      });
      request.on('error', reject);
      request.on('response', (response) => {
        text(response)
          .then((raw) => ({
            status: response.statusCode ?? 0,
            raw,
            body: JSON.parse(raw),
            replayed: response.headers['idempotent-replayed'] === 'true',
          }))
          .then(resolve, reject);
      });
      request.end(values ? JSON.stringify(values) : undefined);
    });
  }

  /** The same request until it is answered as if nothing had failed. */
  async function ask(
    method: string,
    path: string,
    {
      values = null,
      key = null,
      from = address,
    }: { values?: Values | null; key?: string | null; from?: string } = {},
  ): Promise<Answer> {
    const until = performance.now() + PATIENCE_MS;
    for (let pause = 50; ; pause = Math.min(1000, pause * 2)) {
      try {
        const answer = await askOnce(from, method, path, values, key);
        const error: unknown = answer.body.error;
        if (typeof error === 'string') seen.errors.set(error, (seen.errors.get(error) ?? 0) + 1);
        if (!RETRYABLE.has(String(error))) return answer;
        assert.ok(answer.body.retry_after_seconds > 0, `${error} says when to ask again`);
      } catch (fault) {
        if (fault instanceof assert.AssertionError) throw fault;
        seen.unanswered += 1;
      }
      assert.ok(
        performance.now() < until,
        `no answer to ${method} ${path.split('?')[0]} in ${PATIENCE_MS} ms`,
      );
      await wait(pause * (0.5 + random()));
    }
  }

  async function askSession(
    method: string,
    path: string,
    options: { values?: Values | null; key?: string | null; from?: string } = {},
  ): Promise<Answer> {
    const answer = await ask(method, path, options);
    if (answer.body.error === 'session_not_found' && (options.from ?? address) === address) {
      assert.ok(mayBeForgotten(openedAt), `a session is gone: ${answer.raw.slice(0, 200)}`);
      throw new SessionForgotten();
    }
    return answer;
  }

  async function walk(): Promise<void> {
    const opened = await ask('POST', '/ai/v1/auth', { values: {}, key: newKey() });
    assert.equal(opened.status, 200, opened.raw);
    const token: string = opened.body.session;
    seen.sessions += 1;
    const search = `/ai/v1/search?session=${token}`;
    const result = `/ai/v1/result?session=${token}`;
    /** All that was acknowledged so far. */
    const standing = new Map<string, string>();
    const used: { readonly key: string; readonly values: Values }[] = [];
    let changes = 0;

    /** The answer to its first copy. */
    async function change(values: Values): Promise<Answer> {
      const key = newKey();
      const copies = random() < 0.4 ? 2 : 1;
      const answers = await allOf(
        Array.from({ length: copies }, () => askSession('POST', search, { values, key })),
      );
      const carriedOut = answers.filter(({ replayed }) => !replayed).length;
      assert.ok(carriedOut <= 1, `one change was carried out ${carriedOut} times`);
      used.push({ key, values });
      for (const [field, value] of Object.entries(values)) standing.set(field, value);
      changes += 1;
      seen.acknowledged += 1;
      if (copies > 1) seen.duplicated += 1;
      const [answer] = answers;
      if (answer === undefined) throw new Error('no copy was sent');
      return answer;
    }

    async function changeAlone(values: Values): Promise<Answer> {
      const answer = await change(values);
      check(answer);
      return answer;
    }

    /** Whichever node is first: neither may undo what the other did. */
    async function changeAtOnce(...all: readonly Values[]): Promise<void> {
      await allOf(all.map(change));
      seen.concurrent += all.length;
      check(await askSession('GET', search));
    }

    function check({ body, raw }: Answer): void {
      const told =
        body.object === 'search_result'
          ? { ...body.query, check_in_day: body.query.check_in }
          : body.received;
      assert.ok(told, `neither a step nor a result: ${raw.slice(0, 300)}`);
      for (const [field, value] of standing) {
        assert.equal(String(told[field]), value, `${field} was acknowledged as ${value}`);
      }
      const revision = /idempotency_key=sw\.(\d+)\./.exec(raw)?.[1];
      assert.equal(Number(revision), changes, `${changes} changes were acknowledged`);
    }

    await changeAlone({ destination: 'lisbon-pt' });
    if (random() < 0.5) check(await askSession('GET', search));
    const checkIn = { check_in_day: stay.checkIn };
    const guests = { guests: '2' };
    const checkOut = { check_out: pick(stay.checkOuts) };
    const isGuided = random() < 0.5;
    if (isGuided) await changeAlone(checkIn);
    else await changeAtOnce(checkIn, guests);
    if (isGuided) await changeAlone(checkOut);
    let answer = await changeAlone(isGuided ? guests : checkOut);
    for (let round = 0; round < 3; round += 1) {
      assert.equal(answer.body.object, 'search_result', answer.raw.slice(0, 300));
      seen.results += 1;
      for (const { quote } of answer.body.results) seen.quotes.add(quote.nxq);
      const stored = await askSession('GET', result);
      assert.equal(stored.raw, answer.raw, 'a result is the same bytes wherever it is read');
      const foreign = await ask('GET', result, { from: stranger });
      assert.equal(foreign.body.error, 'session_not_found', 'another assistant sees no session');
      const repeated = pick(used);
      const again = await askSession('POST', search, repeated);
      assert.ok(again.replayed, `a repeated key is not carried out again: ${again.raw.slice(0, 300)}`);
      check(again);
      const others = ['1', '2', '3', '4'].filter((guests) => guests !== standing.get('guests'));
      if (round === 2) return;
      const party = { guests: pick(others) };
      const otherDays = stay.checkOuts.filter((day) => day !== standing.get('check_out'));
      if (random() < 0.5) answer = await changeAlone(party);
      else {
        await changeAtOnce(party, { check_out: pick(otherDays) });
        answer = await askSession('GET', result);
        check(answer);
      }
    }
  }

  try {
    await walk();
  } catch (fault) {
    if (!(fault instanceof SessionForgotten)) throw fault;
    seen.forgotten += 1;
  } finally {
    for (const agent of agents.values()) agent.destroy();
  }
}

/** All of them, or the first failure once none is under way any more. */
async function allOf<Value>(work: readonly Promise<Value>[]): Promise<readonly Value[]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
