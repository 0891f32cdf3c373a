import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { vendorClock } from '../connectors/vendor-clock.ts';
import { createCommandStage } from '../support/command-stage.ts';
import { keepPublishedKeys } from '../support/keep-published-keys.ts';
import { newSigningKey } from '../support/signing-key.ts';

const AGENT = 'https://agent.example';
const HOUR_MS = 3_600_000;
const OURS = { STAYWIRE_PUBLIC_URL: 'https://stays.example' };
const APPROVE = ['approve', 'guide', '--name', 'Guide', '--signature-agent', AGENT];

function setUp(t: TestContext, env: Readonly<Record<string, string>> = OURS) {
  const stage = createCommandStage(t);
  return {
    async run(...words: readonly string[]) {
      const ran = await stage.run(['assistants', ...words], { env: { STAYWIRE_DATA_DIR: 'data', ...env } });
      assert.equal(ran.code, 0, ran.notes);
      return { ...ran, said: `${ran.notes} ${ran.output}`.replace(/\s+/g, ' ') };
    },
    fetched(hoursAgo: number) {
      keepPublishedKeys(join(stage.directory, 'data'), {
        agent: AGENT,
        keys: [newSigningKey('ed25519').published],
        confirmedAt: vendorClock.now() - hoursAgo * HOUR_MS,
      });
    },
  };
}

describe('what an assistant publishes', () => {
  it('is said to be missing when it is approved, until a service has fetched it', async (t) => {
    const { run, fetched } = setUp(t);
    const first = await run(...APPROVE);
    assert.match(
      first.said,
      /! Nobody is recognised yet by what this machine has no copy of that can be used\. A service that runs fetches it within seconds; .* keys at https:\/\/agent\.example\/\S+ \(never fetched\)$/,
    );
    fetched(1);
    assert.doesNotMatch((await run('approve', 'guide')).said, /!/);
    assert.deepEqual(JSON.parse((await run('approve', 'guide', '--json')).output).warnings, []);
  });

  it('is listed and shown with the time of its last fetch', async (t) => {
    const { run, fetched } = setUp(t);
    await run(...APPROVE);
    await run('approve', 'rover', '--name', 'Rover', '--network', '192.0.2.0/24');
    for (const [hoursAgo, text] of [
      [null, 'never fetched'],
      [0.01, 'fetched less than a minute ago'],
      [0.51, 'fetched 30 minutes ago'],
      [3.1, 'fetched 3 hours ago'],
      [6 * 24 + 1, 'fetched 6 days ago'],
      [9 * 24 + 1, 'fetched 9 days ago, too old to be used'],
    ] as const) {
      if (hoursAgo !== null) fetched(hoursAgo);
      const listed = await run('list');
      assert.ok(listed.said.includes(`a key of ${AGENT} (${text}) limits`), listed.said);
      const shown = await run('show');
      assert.ok(shown.notes.replace(/\s+/g, ' ').includes(`directory: ${text}.`), shown.notes);
      const { assistants } = JSON.parse((await run('list', '--json')).output);
      const [document] = assistants[0].published;
      assert.deepEqual(
        [document.kind, document.usable, document.confirmed_at === null],
        ['keys', hoursAgo !== null && hoursAgo < 7 * 24, hoursAgo === null],
      );
      assert.deepEqual(assistants[1].published, []);
    }
  });
});

describe('the approval of an assistant that signs', () => {
  it('warns where no setting says for which host, and of no other', async (t) => {
    const warning =
      /! Every signature is refused while neither STAYWIRE_PUBLIC_URL nor STAYWIRE_HOSTS says .* The environment of this command has neither: set one for the service\./;
    const { run } = setUp(t, {});
    assert.match((await run(...APPROVE)).said, warning);
    assert.match((await run('approve', 'guide')).said, warning);
    const rover = ['approve', 'rover', '--name', 'Rover', '--network', '192.0.2.0/24'];
    assert.doesNotMatch((await run(...rover)).said, /!/);
    for (const env of [OURS, { STAYWIRE_HOSTS: 'stays.example' }]) {
      assert.doesNotMatch((await setUp(t, env).run(...APPROVE)).said, warning);
    }
  });
});
