import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { readPublishedRanges } from '../published/read-published-document.ts';
import { describeAssistantRegistry } from './assistant-registry.ts';
import { WELL_KNOWN_ASSISTANTS } from './well-known-assistants.ts';

const PAGE = readFileSync(new URL('../../../docs/known-assistants.md', import.meta.url), 'utf8');

describe('the catalogue of well-known assistants', () => {
  it('has each of them once', () => {
    const ids = WELL_KNOWN_ASSISTANTS.map(({ id }) => id);
    assert.deepEqual(ids, [...new Set(ids)]);
    assert.deepEqual(ids, [
      'chatgpt',
      'claude',
      'perplexity',
      'google',
      'mistral',
      'duckduckgo',
      'apple',
      'bing',
    ]);
  });

  for (const { id, name, about, recognisedBy, snapshots } of WELL_KNOWN_ASSISTANTS) {
    describe(name, () => {
      it('could stand in a registry as it is described', () => {
        assert.match(id, /^[a-z0-9-]{1,64}$/);
        assert.ok(about.endsWith('.'));
        const entry = { id, name, status: 'approved', recognised_by: recognisedBy };
        const reading = describeAssistantRegistry({ assistants: [entry] }, () => {
          throw new Error('no files');
        });
        assert.deepEqual(reading.kind === 'invalid' ? reading.faults : [], []);
      });

      it('has documents at addresses of the web, over TLS', () => {
        for (const way of recognisedBy) {
          const url =
            'ranges_url' in way ? way.ranges_url : 'signature_agent' in way ? way.signature_agent : null;
          if (url === null) continue;
          const address = new URL(url);
          assert.equal(address.protocol, 'https:');
          assert.deepEqual([address.port, address.username, address.hash], ['', '', '']);
          if ('signature_agent' in way) assert.equal(url, address.origin);
        }
      });

      it('has networks and snapshots that would be accepted if they were published today', () => {
        const lists = recognisedBy.flatMap((way) => ('ranges' in way ? [way.ranges] : []));
        for (const list of [...lists, ...snapshots.map(({ cidrs }) => cidrs)]) {
          const reading = readPublishedRanges(JSON.stringify(list));
          assert.deepEqual(reading.kind === 'invalid' ? reading.faults : [], []);
          assert.equal(new Set(list).size, list.length);
        }
      });

      it('has snapshots of the lists that it names, each with its day', () => {
        const named = recognisedBy.flatMap((way) => ('ranges_url' in way ? [way.ranges_url] : []));
        for (const { url, takenAt } of snapshots) {
          assert.ok(named.includes(url), url);
          assert.match(takenAt, /^20\d\d-\d\d-\d\d$/);
          assert.equal(new Date(takenAt).toISOString().slice(0, 10), takenAt);
        }
      });

      it('is on the page that says where it was seen, with its addresses and the days of its snapshots', () => {
        const section = PAGE.split(/^## /m).find((part) => part.includes(`\`${id}\``)) ?? '';
        for (const way of recognisedBy) {
          for (const fact of Object.values(way).flat()) assert.ok(section.includes(fact), `${id}: ${fact}`);
        }
        for (const { takenAt } of snapshots) assert.ok(section.includes(takenAt), `${id}: ${takenAt}`);
      });
    });
  }
});
