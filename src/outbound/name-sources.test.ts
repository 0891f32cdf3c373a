import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { startNameServer } from '../../test/support/name-server.ts';
import { systemClock as clock } from '../clock.ts';
import { createMachineNames, createNameServers, isUnknownName } from './name-sources.ts';

async function filesOf(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'staywire-names-'));
  t.after(() => rm(folder, { recursive: true }));
  return { hostsFile: join(folder, 'hosts'), resolverFile: join(folder, 'resolv.conf') };
}

describe('the names that this machine knows', () => {
  it('are those of its hosts file, as it is now', async (t) => {
    const files = await filesOf(t);
    const names = createMachineNames(files);
    assert.deepEqual(await names.addressesOf('pms.test'), []);
    await writeFile(
      files.hostsFile,
      '# ours\n192.0.2.7\tPMS.test pms # the lodge\n2001:db8::7 pms.test\nnonsense other.test\n\n# 192.0.2.9 other.test\n',
    );
    const both = [
      { address: '192.0.2.7', family: 4 },
      { address: '2001:db8::7', family: 6 },
    ];
    assert.deepEqual(await names.addressesOf('pms.test'), both);
    assert.deepEqual(await names.addressesOf('pms'), both.slice(0, 1));
    assert.deepEqual(await names.addressesOf('other.test'), []);
    await writeFile(files.hostsFile, '192.0.2.8 other.test\n');
    assert.deepEqual(await names.addressesOf('pms.test'), []);
    assert.deepEqual(await names.addressesOf('other.test'), [{ address: '192.0.2.8', family: 4 }]);
    await rm(files.hostsFile);
    assert.deepEqual(await names.addressesOf('other.test'), []);
  });

  it('have localhost among them, whatever the file says', async (t) => {
    const files = await filesOf(t);
    const names = createMachineNames(files);
    const loopback = ['127.0.0.1', '::1'];
    for (const name of ['localhost', 'pms.localhost']) {
      assert.deepEqual(
        (await names.addressesOf(name)).map(({ address }) => address),
        loopback,
      );
    }
    await writeFile(files.hostsFile, '127.0.0.2 localhost\n');
    assert.deepEqual(await names.addressesOf('pms.localhost'), [{ address: '127.0.0.2', family: 4 }]);
    assert.deepEqual(await names.addressesOf('mylocalhost'), []);
  });

  it('are spelt with its search domains, before or after the name as it is', async (t) => {
    const files = await filesOf(t);
    const names = createMachineNames(files);
    assert.deepEqual(await names.spellingsOf('pms'), ['pms']);
    await writeFile(files.resolverFile, 'domain old.test\nsearch prod.svc.test svc.test.\n');
    assert.deepEqual(await names.spellingsOf('pms'), ['pms.prod.svc.test', 'pms.svc.test', 'pms']);
    assert.deepEqual(await names.spellingsOf('pms.prod'), [
      'pms.prod',
      'pms.prod.prod.svc.test',
      'pms.prod.svc.test',
    ]);
    assert.deepEqual(await names.spellingsOf('pms.prod.'), ['pms.prod.']);
    await writeFile(files.resolverFile, 'search .  svc.test\noptions timeout:1 ndots:5\n');
    assert.deepEqual(await names.spellingsOf('pms.prod'), ['pms.prod.svc.test', 'pms.prod']);
    assert.deepEqual(await names.spellingsOf('a.b.c.d.e.test'), [
      'a.b.c.d.e.test',
      'a.b.c.d.e.test.svc.test',
    ]);
  });
});

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
