import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { postRequest } from '../support/leaving-client.ts';
import { type Stays, startStays } from '../support/mcp-client.ts';
import { mcpMessage, sendToMcp } from '../support/mcp-message.ts';

/** Only something that never comes about takes so many. */
const MAX_LOOKS = 2000;

describe('streams of the MCP transport', () => {
  it('that would wait for changed lists end at once, because lists do not change', async (t) => {
    const { origin } = await startStays(t);
    const listen = mcpMessage('subscriptions/listen', {
      notifications: { toolsListChanged: true, resourcesListChanged: true },
    });
    const answers = await Promise.all(Array.from({ length: 100 }, () => sendToMcp(origin, listen)));
    for (const { status, text } of answers) {
      assert.equal(status, 200);
      assert.match(text, /notifications\/subscriptions\/acknowledged.*"notifications":\{\}/);
      assert.match(text, /"resultType":"complete"/);
    }
    const listed = await sendToMcp(origin, mcpMessage('tools/list'));
    assert.equal(listed.status, 200);
    assert.equal(listed.headers['x-ratelimit-remaining'], '499', 'each of them counted');
  });

  it('that nobody reads are cut off, and others are served meanwhile', async (t) => {
    const stays = await startStays(t);
    // Node measures it itself; a test waits for the end, however long it takes.
    stays.service.server.timeout = 300;
    const unsearchable = await readNothing(t, stays);
    const listed = await sendToMcp(stays.origin, mcpMessage('tools/list'));
    assert.equal(listed.status, 200);
    await until(() => unsearchable.destroyed);
  });

  it('that nobody reads do not keep the service from closing', async (t) => {
    const stays = await startStays(t);
    await readNothing(t, stays);
    let isClosed = false;
    const closed = stays.service.close().then(() => {
      isClosed = true;
    });
    await stays.service.time.pass(12_000);
    assert.equal(isClosed, false, 'an answer may take as long as a search');
    await stays.service.time.pass(2000);
    await closed;
  });
});

/** Asks for far more than the buffers of a connection hold, and reads nothing of it. Resolves with the other end of it. */
async function readNothing(t: TestContext, { origin, service }: Stays): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  const accepted = once(service.server, 'connection');
  const socket = connect({ host: hostname, port: Number(port) });
  socket.pause().on('error', () => {});
  t.after(() => void socket.destroy());
  const [unsearchable] = (await accepted) as [Socket];
  const batch = Array.from({ length: 20 }, (_, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'resources/read',
    params: { uri: 'ui://staywire/comparison.html', _meta: { progressToken: id } },
  }));
  const request = postRequest('/mcp', batch, ['Accept: application/json, text/event-stream']);
  socket.write(request.repeat(8));
  await until(() => unsearchable.writableNeedDrain);
  return unsearchable;
}

async function until(isSo: () => boolean): Promise<void> {
  for (let looks = 0; !isSo(); looks += 1) {
    assert.ok(looks < MAX_LOOKS, 'it did not come about');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
