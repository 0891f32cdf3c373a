import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  COMPARISON_CARD_HTML,
  COMPARISON_CARD_MIME_TYPE,
  COMPARISON_CARD_URI,
  comparisonCardMeta,
} from './comparison-card.ts';

const MAX_CARD_BYTES = 60 * 1024;

test('the resource has its address and its type', () => {
  assert.equal(COMPARISON_CARD_URI, 'ui://staywire/comparison.html');
  assert.equal(COMPARISON_CARD_MIME_TYPE, 'text/html;profile=mcp-app');
});

test('the page is small, whole and evaluates nothing', () => {
  assert.ok(Buffer.byteLength(COMPARISON_CARD_HTML) < MAX_CARD_BYTES);
  assert.doesNotMatch(
    COMPARISON_CARD_HTML,
    /\beval\(|new Function|innerHTML|insertAdjacentHTML|document\.write/,
  );
  assert.doesNotMatch(COMPARISON_CARD_HTML, /<(?:link|iframe|object|embed)\b|<script[^>]+src|@import|url\(/);
  assert.match(COMPARISON_CARD_HTML, /script-src 'sha256-[\w+/=]+'; style-src 'sha256-[\w+/=]+'/);
});

test('pictures come from the hosts of the brands, over https but for this machine, and nothing else is asked for', () => {
  const hosts = ['casas.example', 'img.casas.example:8443', 'casas.example', '127.0.0.1:4000'];
  const origins = [
    'http://127.0.0.1:4000',
    'https://127.0.0.1:4000',
    'https://casas.example',
    'https://img.casas.example:8443',
  ];
  assert.deepEqual(comparisonCardMeta(hosts, 'https://stays.example/'), {
    ui: { csp: { resourceDomains: origins }, permissions: {}, prefersBorder: true },
    'openai/widgetCSP': { resource_domains: origins, connect_domains: [] },
    'openai/widgetPrefersBorder': true,
    'openai/widgetDomain': 'https://stays.example',
  });
  for (const unknown of [null, 'http://127.0.0.1:8080']) {
    assert.ok(!('openai/widgetDomain' in comparisonCardMeta(hosts, unknown)));
  }
});

test('the page’s own policy takes pictures from the web and those that a host puts into the page', () => {
  assert.match(COMPARISON_CARD_HTML, /img-src https: http: data:;/);
});

test('no host can add a directive to the policy, or open it for everyone', () => {
  const odd = ["a.example; script-src 'unsafe-eval'", '*', 'https:', 'a.example b.example', "'self'", ''];
  assert.deepEqual(comparisonCardMeta(odd, null).ui.csp.resourceDomains, []);
});
