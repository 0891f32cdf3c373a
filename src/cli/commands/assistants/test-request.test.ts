import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readRawRequest } from './test-request.ts';

function accepted(text: string) {
  const { rawHeaders: _, ...request } = whole(text);
  return request;
}

function whole(text: string) {
  const reading = readRawRequest(text);
  assert.equal(reading.kind, 'valid', reading.kind === 'invalid' ? reading.faults.join() : '');
  return reading.value;
}

describe('a request in a file', () => {
  it('is its line and its headers, as Node would give them', () => {
    const request = accepted(
      'POST /ai/v1/search?x=1 HTTP/1.1\r\nHost: stays.example\r\nUser-Agent:  ChatGPT-User/1.0 \r\n' +
        'Signature-Input: a\r\nsignature-input: b\r\nHost: other.example\r\nX-Empty:\r\n\r\n{"body": "no: header"}',
    );
    assert.deepEqual(request, {
      method: 'POST',
      target: '/ai/v1/search?x=1',
      headers: {
        host: 'stays.example',
        'user-agent': 'ChatGPT-User/1.0',
        'signature-input': 'a, b',
        'x-empty': '',
      },
    });
  });

  it('is also what curl -v prints', () => {
    const request = accepted(
      [
        '* Connected to stays.example (203.0.113.1) port 443',
        '> GET /ai/v1/auth HTTP/2',
        '> Host: stays.example',
        '> User-Agent: curl/8.0',
        '>',
        '< HTTP/2 403',
        '< content-type: application/json',
        '{"error": "access_denied"}',
      ].join('\n'),
    );
    assert.deepEqual(request, {
      method: 'GET',
      target: '/ai/v1/auth',
      headers: { host: 'stays.example', 'user-agent': 'curl/8.0' },
    });
  });

  it('has all its headers as they came too, also a second Host', () => {
    assert.deepEqual(whole('GET / HTTP/1.1\nHost: a\nhost: b').rawHeaders, ['Host', 'a', 'host', 'b']);
  });

  it('may begin with blank lines, and end without one', () => {
    assert.deepEqual(accepted('\uFEFF\n\nGET / HTTP/1.0').headers, {});
  });

  it('is refused when it is none', () => {
    for (const [text, fault] of [
      ['', /does not begin with a line such as GET \/ai\/v1\/auth HTTP/],
      ['<html>', /does not begin/],
      ['GET /', /does not begin/],
      ['GET / HTTP/1.1\nno header', /has a line that is no header: no header/],
      ['GET / HTTP/1.1\nHost: a\n folded', /no header/],
    ] as const) {
      const reading = readRawRequest(text);
      assert.equal(reading.kind, 'invalid', text);
      assert.match(reading.faults.join(), fault);
    }
  });

  it('bears a header with the name of what objects inherit', () => {
    const { headers } = accepted('GET / HTTP/1.1\n__proto__: a\nconstructor: b');
    assert.deepEqual(Object.keys(headers), ['__proto__', 'constructor']);
  });
});
