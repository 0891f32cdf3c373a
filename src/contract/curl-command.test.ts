import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import type { RecordedExample } from './openapi.ts';
import { curlCommand } from './openapi.ts';

function example(changes: Partial<RecordedExample>): RecordedExample {
  return {
    operation: 'search',
    method: 'POST',
    name: 'one',
    summary: 'One',
    request: { url: '/ai/v1/search?session=s&view=compact', body: { destination: 'Cap d’Agde' } },
    status: 200,
    answer: {},
    ...changes,
  };
}

test('a request with a body, on the service of this machine or at its public address', () => {
  const body = '-d \'{"destination":"Cap d’Agde"}\'';
  assert.equal(
    curlCommand(example({}), null),
    `curl 'http://127.0.0.1:8080/ai/v1/search?session=s&view=compact' \\\n  -H 'content-type: application/json' \\\n  ${body}`,
  );
  assert.match(
    curlCommand(example({}), 'https://stays.example'),
    /^curl 'https:\/\/stays\.example\/ai\/v1\//,
  );
});

test('a request without a body is a GET, or says that it is a POST', () => {
  const request = { url: '/ai/v1/auth', body: null };
  assert.equal(
    curlCommand(example({ method: 'GET', request }), null),
    "curl 'http://127.0.0.1:8080/ai/v1/auth'",
  );
  assert.match(curlCommand(example({ request }), null), / \\\n {2}-X POST$/);
});

test('a shell reads every argument as it was meant', () => {
  const name = `L'Olivier "$HOME" \`id\` \\ end`;
  const command = curlCommand(example({ request: { url: '/', body: { name } } }), null);
  const read = execFileSync('sh', ['-c', command.replace('curl', "printf '%s\\n'")], { encoding: 'utf8' });
  assert.deepEqual(read.trimEnd().split('\n'), [
    'http://127.0.0.1:8080/',
    '-H',
    'content-type: application/json',
    '-d',
    JSON.stringify({ name }),
  ]);
});
