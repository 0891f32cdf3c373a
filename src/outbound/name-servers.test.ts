import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startNameServer } from '../../test/support/name-server.ts';
import { systemClock as clock } from '../clock.ts';
import { createNameServers, isUnknownName } from './name-servers.ts';

describe('the name servers', () => {
  it('are asked for both families, and one without an address does not hide the other', async (t) => {
    const { address, questions } = await startNameServer(t, () => ['192.0.2.7', '192.0.2.8']);
    const ask = createNameServers({ clock, servers: [address] });
    assert.deepEqual(await ask('operator.test'), [
      { address: '192.0.2.7', family: 4 },
      { address: '192.0.2.8', family: 4 },
    ]);
    assert.deepEqual(questions.map(({ family }) => family).sort(), [4, 6]);
  });

  it('that never answer for one family do not delay the other', async (t) => {
    const { address } = await startNameServer(t, ({ family }) => (family === 4 ? ['192.0.2.7'] : 'silent'));
    const ask = createNameServers({ clock, servers: [address] });
    const asked = clock.elapsed();
    assert.deepEqual(await ask('operator.test'), [{ address: '192.0.2.7', family: 4 }]);
    assert.ok(clock.elapsed() - asked < 1000);
  });

  it('are waited for when an answer is lost: an address of IPv6 alone is of no use to a machine without it', async (t) => {
    const lost = new Set([4]);
    const { address } = await startNameServer(t, ({ family }) =>
      lost.delete(family) ? 'silent' : ['192.0.2.7', '2001:db8:0:0:0:0:0:7'],
    );
    const ask = createNameServers({ clock, servers: [address] });
    assert.deepEqual(await ask('operator.test'), [
      { address: '192.0.2.7', family: 4 },
      { address: '2001:db8::7', family: 6 },
    ]);
  });

  it('say of a name that there is none, or that they cannot tell', async (t) => {
    const { address } = await startNameServer(t, ({ name, family }) => {
      if (name === 'none.test') return 'unknown';
      if (name === 'empty.test') return [];
      return family === 6 ? 'broken' : [];
    });
    const ask = createNameServers({ clock, servers: [address] });
    await assert.rejects(ask('none.test'), isUnknownName);
    await assert.rejects(ask('empty.test'), isUnknownName);
    await assert.rejects(ask('ill.test'), { code: 'ESERVFAIL' });
  });

  it('that are silent are asked again, and given up', async (t) => {
    const { address, questions } = await startNameServer(t, () => 'silent');
    await assert.rejects(createNameServers({ clock, servers: [address] })('operator.test'), {
      code: 'ETIMEOUT',
    });
    assert.equal(questions.filter(({ family }) => family === 4).length, 3);
  });

  it('cannot make a name have addresses without end', async (t) => {
    const many = Array.from({ length: 30 }, (_, last) => `192.0.2.${last}`);
    const { address } = await startNameServer(t, () => many);
    const found = await createNameServers({ clock, servers: [address] })('operator.test');
    assert.equal(found.length, 16);
  });
});
