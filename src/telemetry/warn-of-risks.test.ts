import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { registryOf } from '../../test/support/registry-of.ts';
import { registryFor } from '../access/registry/assistant-registry.ts';
import { createLog } from './log.ts';
import { createRiskWarnings } from './warn-of-risks.ts';

const entry = (id: string, ...network: string[]) => ({
  ...{ id, name: id, status: 'approved' },
  recognised_by: [{ network }],
});

test('the owner is warned of each way that lets in others, once, until it has gone', () => {
  const lines: { level: string; assistant: string; risk: string; msg: string }[] = [];
  const log = createLog({
    level: 'warn',
    clock: createFakeClock(0),
    destination: { write: (line) => void lines.push(JSON.parse(line)) },
  });
  const warn = createRiskWarnings({ log });
  const taken = (...entries: object[]) => {
    lines.length = 0;
    warn(registryOf(...entries));
    return lines.map(({ level, assistant, risk }) => `${level} ${assistant}: ${risk}`);
  };
  const open = 'warn open: 0.0.0.0/0 is every address there is.';
  assert.deepEqual(taken(entry('narrow', '10.1.0.0/16'), entry('open', '0.0.0.0/0')), [open]);
  assert.match(lines[0]?.msg ?? '', /staywire assistants suspend open$/);
  const loopback = taken(entry('open', '0.0.0.0/0'), entry('narrow', '127.0.0.1'));
  assert.equal(loopback.length, 1);
  assert.match(loopback[0] ?? '', /^warn narrow: 127\.0\.0\.1 reaches this machine itself/);
  assert.deepEqual(taken({ ...entry('open', '0.0.0.0/0'), status: 'suspended' }), []);
  assert.deepEqual(taken(entry('open', '0.0.0.0/0')), [open], 'approved again');
});

test('a long list of risks is not told to its end', () => {
  let warnings = 0;
  const networks = Array.from({ length: 60 }, (_, number) => `${4 * number}.0.0.0/7`);
  const warn = createRiskWarnings({
    log: {
      warn: () => {
        warnings += 1;
      },
    },
  });
  warn(registryOf(entry('a', ...networks)));
  assert.equal(warnings, 20);
});

test('where the owner trusts this machine, an assistant on it is no risk', () => {
  const warnings = (trustedNetworks: string[]) => {
    const risks: string[] = [];
    const log = { warn: ({ risk }: { risk: string }) => void risks.push(risk) };
    const listed = registryOf(entry('here', '127.0.0.1'), entry('open', '0.0.0.0/0'));
    createRiskWarnings({ log })(registryFor(listed, trustedNetworks));
    return risks.length;
  };
  assert.equal(warnings(['127.0.0.0/8', '::1']), 1, 'only that every address is one assistant');
  assert.equal(warnings(['127.0.0.2', '10.0.0.0/8']), 2);
});
