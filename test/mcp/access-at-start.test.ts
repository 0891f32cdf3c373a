import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { registryFor } from '../../src/access/registry/assistant-registry.ts';
import { callTool, connectMcp, startStays } from '../support/mcp-client.ts';

describe('staywire mcp', () => {
  it('says at its start, and in each call, who has to do what where the network does not approve this machine', async (t) => {
    const { origin } = await startStays(t, { registry: registryFor(null, []) });
    const said = await startedAt(t, origin);
    const help = `${origin}/for-assistants`;
    assert.match(said.stderr, /has not approved .* owner/);
    assert.ok(said.stderr.includes(help) && said.text.includes(help));
    assert.match(said.text, /owner.*\[access_denied\]/);
  });

  it('says so where no service answers', async (t) => {
    const said = await startedAt(t, 'http://127.0.0.1:1');
    assert.match(said.stderr, /No answer .* from http:\/\/127\.0\.0\.1:1\..* address/);
    assert.match(said.text, /No answer .* from http:\/\/127\.0\.0\.1:1\..* address.*\[service_unreachable\]/);
  });
});

/** What the program writes before any call, and what a search answers. The tools are there all the same. */
async function startedAt(t: Parameters<typeof connectMcp>[0], origin: string) {
  let stderr = '';
  const client = await connectMcp(t, {
    origin,
    revision: '2025-11-25',
    transport: 'stdio',
    onErrorOutput: (text) => {
      stderr += text;
    },
  });
  const beforeCalls = stderr;
  assert.equal((await client.listTools()).tools.length, 4);
  const { text, isError } = await callTool(client, 'search_stays', { destination: 'Lisbon' });
  assert.equal(isError, true);
  assert.doesNotMatch(text, /Tell the traveller that the search does not work/);
  return { stderr: beforeCalls, text };
}
