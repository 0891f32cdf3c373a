import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { createMachineNames } from './machine-names.ts';

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
