import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
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

  it('has entries that could stand in a registry, with documents over TLS and a section on the page', () => {
    for (const { id, name, about, recognisedBy } of WELL_KNOWN_ASSISTANTS) {
      assert.ok(about.endsWith('.'));
      const entry = { id, name, status: 'approved', recognised_by: recognisedBy };
      const reading = describeAssistantRegistry({ assistants: [entry] }, () => {
        throw new Error('no files');
      });
      assert.deepEqual(reading.kind === 'invalid' ? reading.faults : [], [], id);
      const section = PAGE.split(/^## /m).find((part) => part.includes(`\`${id}\``)) ?? '';
      for (const way of recognisedBy) {
        for (const fact of Object.values(way).flat()) assert.ok(section.includes(fact), `${id}: ${fact}`);
        const url =
          'ranges_url' in way ? way.ranges_url : 'signature_agent' in way ? way.signature_agent : null;
        if (url !== null) assert.equal(new URL(url).protocol, 'https:');
      }
    }
  });
});
