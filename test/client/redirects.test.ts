import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { it, type TestContext } from 'node:test';
import { createClient } from '../../src/client/client.ts';

async function listening(t: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('neither the session nor the headers of the caller reach where a service redirects to', async (t) => {
  const reached: unknown[] = [];
  const elsewhere = await listening(t, ({ url, headers }, response) => {
    reached.push({ url, headers });
    response.end('{"object":"search_result"}');
  });
  const baseUrl = await listening(t, ({ url = '' }, response) => {
    response.writeHead(307, { location: `${elsewhere}${url}` }).end('moved');
  });
  const client = createClient({ baseUrl, headers: { signature: 'sig1=:x:' } });
  for (const call of [
    () => client.open(),
    () => client.step('ses_1', { guests: 2 }),
    () => client.result('ses_1'),
  ]) {
    await assert.rejects(call(), { name: 'StaywireError', code: 'unexpected_redirect', status: 307 });
  }
  assert.deepEqual(reached, []);
});
