import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { importedConnector } from './connector.ts';

const around = { env: {}, directory: '/etc/staywire' };

describe('the entry of imported homes', () => {
  it('names a file, and nothing else', () => {
    const faultsOf = (entry: object) => {
      const reading = importedConnector.readEntry({ kind: 'imported', ...entry }, around);
      return reading.kind === 'invalid' ? reading.faults.map(({ pointer }) => pointer) : [];
    };
    assert.deepEqual(faultsOf({ file: 'imports/city.jsonl' }), []);
    assert.deepEqual(faultsOf({}), ['']);
    assert.deepEqual(faultsOf({ file: '' }), ['/file']);
    assert.deepEqual(faultsOf({ file: 'a', url: 'https://x.example' }), ['/url']);
  });

  it('is of stays that are priced from a document', () => {
    assert.equal(importedConnector.inventorySource, 'rate_card');
  });
});
