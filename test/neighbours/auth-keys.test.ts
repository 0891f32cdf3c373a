import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Neighbourhood, startNeighbourhood } from '../support/neighbourhood.ts';

describe('a key that two users of one assistant send at auth', () => {
  let here: Neighbourhood;
  before(async () => {
    here = await startNeighbourhood();
  });
  after(() => here.close());

  const openAt = async (address: string, key: string) => {
    const { status, body } = await here
      .clientAt(address)
      .call(`/ai/v1/auth?idempotency_key=${key}`, { body: {} });
    assert.equal(status, 200);
    return body.session as string;
  };

  it('gives each of two addresses a session of its own', async () => {
    const key = 'idempotency-key-1';
    assert.notEqual(await openAt('127.0.0.4', key), await openAt('127.0.0.5', key));
  });

  it('gives the same session to the same address, until it is used', async () => {
    const key = 'idempotency-key-2';
    const first = await openAt('127.0.0.4', key);
    assert.equal(await openAt('127.0.0.4', key), first, 'a lost answer can be had again');
    await here.clientAt('127.0.0.4').call(`/ai/v1/search?session=${first}`, { body: { guests: '2' } });
    assert.notEqual(await openAt('127.0.0.4', key), first, 'a conversation cannot be walked into');
  });
});
