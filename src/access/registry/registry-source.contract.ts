import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { readAssistantRegistry } from './assistant-registry.ts';
import type { RegistryDocument, RegistrySource } from './registry-source.ts';
import { LOOK_EVERY_MS, watchRegistry } from './watch-registry.ts';

/** Two that work on the same registry; undefined where the test cannot be run here. */
type OpenTwo = (t: TestContext) => Promise<readonly [RegistrySource, RegistrySource] | undefined>;

const FIRST = '{ "assistants": [] } // ü\n';
const SECOND = '{ "assistants": [ ] }\n';

export function registrySourceContract(name: string, openTwo: OpenTwo): void {
  describe(`the registry of assistants in ${name}`, () => {
    it('is read as it was written, by everybody', async (t) => {
      const [one, other] = (await openTwo(t)) ?? [];
      if (!one || !other) return;
      assert.deepEqual([await one.read(), await other.read()], [null, null]);
      assert.equal(await one.replace(null, FIRST), 'replaced');
      const read = await one.read();
      assert.equal(read?.text, FIRST);
      assert.deepEqual(await other.read(), read);
      assert.deepEqual(await other.read(), read);
    });

    it('has another version whenever its text is another, and the same for the same text', async (t) => {
      const [one, other] = (await openTwo(t)) ?? [];
      if (!one || !other) return;
      const versions: string[] = [];
      for (const text of [FIRST, SECOND, FIRST]) {
        assert.equal(await one.replace(versions.at(-1) ?? null, text), 'replaced');
        const read: RegistryDocument | null = await other.read();
        assert.equal(read?.text, text);
        versions.push(read.version);
      }
      assert.notEqual(versions[0], versions[1]);
      assert.equal(versions[0], versions[2]);
    });

    it('is not replaced by whoever has read another one', async (t) => {
      const [one, other] = (await openTwo(t)) ?? [];
      if (!one || !other) return;
      assert.equal(await one.replace('no version of it', FIRST), 'changed_meanwhile');
      assert.equal(await one.read(), null);
      assert.equal(await one.replace(null, FIRST), 'replaced');
      assert.equal(await other.replace(null, SECOND), 'changed_meanwhile');
      const read = await other.read();
      assert.ok(read);
      assert.equal(await one.replace(read.version, SECOND), 'replaced');
      assert.equal(await other.replace(read.version, FIRST), 'changed_meanwhile');
      assert.equal((await other.read())?.text, SECOND);
    });

    it('is watched by two nodes, which both take a suspension at their next look', async (t) => {
      const both = await openTwo(t);
      if (!both) return;
      const text = (status: string) =>
        JSON.stringify({
          assistants: [{ id: 'a', name: 'A', status, recognised_by: [{ network: ['192.0.2.1'] }] }],
        });
      let looks: Promise<unknown>[] = [];
      // Looks leave the process, and time stands still until they are back.
      const clock = createFakeClock(0, async () => {
        await Promise.all(looks);
        looks = [];
        await new Promise<void>((resolve) => setImmediate(resolve));
      });
      const taken = both.map((source): string[] => {
        const statuses: string[] = [];
        const watch = watchRegistry({
          source: {
            read() {
              const look = source.read();
              looks.push(look);
              return look;
            },
          },
          read: (document) => readAssistantRegistry(document.text, { folder: null, catalogue: [] }),
          current: { version: null, registry: null },
          clock,
          onChange: ({ assistants }) => void statuses.push(assistants[0]?.status ?? 'nobody'),
          observe: ({ kind }) => assert.equal(kind, 'taken'),
        });
        t.after(() => watch.close());
        return statuses;
      });
      await both[0].replace(null, text('approved'));
      await clock.advance(LOOK_EVERY_MS);
      assert.deepEqual(taken, [['approved'], ['approved']]);
      await clock.advance(5 * LOOK_EVERY_MS);
      const read = await both[1].read();
      assert.equal(await both[1].replace(read?.version ?? null, text('suspended')), 'replaced');
      await clock.advance(LOOK_EVERY_MS);
      const expected = ['approved', 'suspended'];
      assert.deepEqual(taken, [expected, expected]);
    });

    it('is replaced by one of two that change it at once', async (t) => {
      const both = await openTwo(t);
      if (!both) return;
      const outcomes = await Promise.all(
        both.map((source, index) => source.replace(null, `${FIRST}${index}`)),
      );
      assert.deepEqual(outcomes.toSorted(), ['changed_meanwhile', 'replaced']);
      const winner = outcomes.indexOf('replaced');
      assert.equal((await both[0].read())?.text, `${FIRST}${winner}`);
    });
  });
}
