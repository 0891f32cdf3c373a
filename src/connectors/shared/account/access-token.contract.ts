import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { BookingSystemFailure } from '../../../limits/booking-system-failure.ts';
import type { RateWindow } from '../../../limits/window-count.ts';
import type { StoredDocument } from '../../../parsing/owned-memory.ts';
import type { AccessToken, createAccessToken } from './access-token.ts';

/** Two nodes with one account; of a process that is alone, its token twice. */
export type TokenStage = {
  readonly nodes: readonly [AccessToken, AccessToken];
  /** Lets time pass, and all that is under way come to its end. */
  pass(milliseconds: number): Promise<void>;
  /** The first node ends without a word. Left out where it cannot end alone. */
  readonly endFirst?: () => Promise<void>;
};

/** What a stage makes a token with. */
export type TokenTerms = Pick<
  Parameters<typeof createAccessToken>[0],
  'issue' | 'stored' | 'secret' | 'readBudget' | 'limit'
>;

const patient = new AbortController().signal;
const HOUR_MS = 3_600_000;

export function accessTokenContract(
  name: string,
  open: (terms: TokenTerms, t: TestContext) => Promise<TokenStage>,
  { skip = false as string | false, canEndAlone = true } = {},
): void {
  /** A vendor that issues `token-1`, `token-2` and so on, or does what a test says. */
  async function setUp(
    t: TestContext,
    { limit, issue }: { limit?: RateWindow; issue?: (count: number) => Promise<void> } = {},
  ) {
    let issued = 0;
    const terms: TokenTerms = {
      async issue() {
        issued += 1;
        const count = issued;
        await issue?.(count);
        return { token: `token-${count}`, lifetimeMs: HOUR_MS };
      },
      stored: documentInMemory(),
      secret: 'the secret of the account',
      readBudget: () => ({}),
      limit: limit ?? null,
    };
    const stage = await open(terms, t);
    return { ...stage, issued: () => issued, current: (node: 0 | 1) => outcome(stage, node) };
  }

  describe(`the token of an account: ${name}`, { skip }, () => {
    it('is asked for once, however many calls of all nodes need it', async (t) => {
      const answer = Promise.withResolvers<void>();
      const { nodes, pass, issued } = await setUp(t, { issue: () => answer.promise });
      const tokens: string[] = [];
      for (const node of Array.from({ length: 5 }, () => nodes).flat())
        node.current(patient, 'live').then((token) => tokens.push(token));
      await pass(1000);
      answer.resolve();
      await pass(1000);
      assert.deepEqual(tokens, Array(10).fill('token-1'));
      assert.equal(issued(), 1);
    });

    it('is renewed by one node when it ends or is refused, and then is that of all', async (t) => {
      const { nodes, pass, current, issued } = await setUp(t);
      assert.deepEqual([await current(0), await current(1)], ['token-1', 'token-1']);
      await pass(HOUR_MS);
      assert.deepEqual([await current(1), await current(0)], ['token-2', 'token-2']);
      await pass(60_000);
      assert.ok(nodes[0].refused('token-2'));
      assert.equal(await current(0), 'token-3');
      assert.ok(nodes[1].refused('token-2'));
      assert.equal(await current(1), 'token-3');
      assert.equal(issued(), 3);
    });

    it('is asked for no more often than the vendor issues one, by all nodes together', async (t) => {
      const { nodes, pass, current, issued } = await setUp(t, {
        limit: { requests: 2, perMs: 24 * HOUR_MS },
      });
      await current(0);
      await pass(HOUR_MS);
      await current(1);
      await pass(HOUR_MS);
      assert.deepEqual([await current(0), await current(1)], ['rate_limited', 'rate_limited']);
      assert.equal(issued(), 2);
      for (const node of nodes) assert.ok(node.restsForMs() > 20 * HOUR_MS);
    });

    it('is not asked for again at once by another node when the vendor has failed', async (t) => {
      const { pass, current, issued } = await setUp(t, {
        async issue(count) {
          if (count === 1) throw new BookingSystemFailure('server_error', 'out of order');
        },
      });
      assert.deepEqual([await current(0), await current(1)], ['server_error', 'server_error']);
      assert.equal(issued(), 1);
      await pass(5000);
      assert.deepEqual([await current(1), await current(0)], ['token-2', 'token-2']);
    });

    it('is asked for by another node when the one that asked has ended', {
      skip: !canEndAlone,
    }, async (t) => {
      const { nodes, pass, current, endFirst } = await setUp(t, {
        issue: (count) => (count === 1 ? new Promise(() => {}) : Promise.resolve()),
      });
      nodes[0].current(patient, 'live').catch(() => undefined);
      await pass(100);
      await endFirst?.();
      assert.equal(await current(1), 'token-2');
    });
  });
}

function documentInMemory(): StoredDocument {
  let kept: Uint8Array<ArrayBuffer> | undefined;
  return {
    read: async () => kept,
    async save(document) {
      kept = document;
    },
  };
}

/** The token, or why there is none, however long that takes. */
async function outcome({ nodes, pass }: TokenStage, node: 0 | 1): Promise<string> {
  let found: string | undefined;
  nodes[node].current(patient, 'live').then(
    (token) => {
      found = token;
    },
    (error) => {
      found = error instanceof BookingSystemFailure ? error.kind : String(error);
    },
  );
  while (found === undefined) await pass(100);
  return found;
}
