import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addressSetFrom } from '../parsing/ip-address.ts';
import { createClientAddress, showsProxy } from './caller-facts.ts';

const clientAddressOf = createClientAddress(addressSetFrom(['10.0.0.0/8', '127.0.0.1', '2001:db8:a::/48']));

/** `proves` a network, is `known` only, or the chain of proxies has a `gap`. Headers are separated by `&&`. */
const CASES = `
a direct caller is its peer | 203.0.113.7 |  | 203.0.113.7 | proves
a mapped peer is its IPv4 self | ::ffff:203.0.113.7 |  | 203.0.113.7 | proves
a peer is the same on every link | fe80::1%eth0 |  | fe80::1 | proves
a mapped peer in digits of IPv6 too | ::ffff:cb00:7107 |  | 203.0.113.7 | proves
a peer that is no address |  |  | unknown | gap
a listed proxy of IPv6 names the caller, through others | 2001:db8:a::1 | x-forwarded-for: ::1, 2001:db8:b::7, 2001:DB8:A:0::2, ::ffff:10.0.0.9 | 2001:db8:b::7 | proves
a hop is the same on every link | 10.0.0.1 | x-forwarded-for: 2001:db8:b::7%eth0 | 2001:db8:b::7 | proves
an unlisted proxy is not believed | 203.0.113.7 | x-forwarded-for: 127.0.0.1 | 203.0.113.7 | known
nor is its Forwarded | ::1 | forwarded: for=192.0.2.1 | ::1 | known
not even an empty one | ::1 | x-forwarded-for: | ::1 | known
any other sign of a proxy counts | ::1 | via: 1.1 somewhere | ::1 | known
a listed proxy names the caller | 10.0.0.1 | x-forwarded-for: 203.0.113.7 | 203.0.113.7 | proves
a mapped listed proxy too | ::ffff:10.0.0.1 | x-forwarded-for: 203.0.113.7 | 203.0.113.7 | proves
what stands left of the caller is its own claim | 10.0.0.1 | x-forwarded-for: 127.0.0.1, 203.0.113.7 | 203.0.113.7 | proves
listed proxies are walked through | 10.0.0.1 | x-forwarded-for: 198.51.100.2, 203.0.113.7, 10.0.0.9,10.0.0.8 | 203.0.113.7 | proves
only proxies: the first of them | 10.0.0.1 | x-forwarded-for: 10.0.0.3, 10.0.0.2 | 10.0.0.3 | proves
several header lines are one list | 10.0.0.1 | x-forwarded-for: 203.0.113.7 && x-forwarded-for: 10.0.0.2 | 203.0.113.7 | proves
ports are dropped | 10.0.0.1 | x-forwarded-for: 203.0.113.7:4711 | 203.0.113.7 | proves
brackets too | 10.0.0.1 | x-forwarded-for: [2001:db8:b::1]:4711 | 2001:db8:b::1 | proves
a mapped hop is its IPv4 self | 10.0.0.1 | x-forwarded-for: ::ffff:203.0.113.7 | 203.0.113.7 | proves
a hop that is no address ends the walk | 10.0.0.1 | x-forwarded-for: 203.0.113.7, unknown | 10.0.0.1 | gap
so does an empty one | 10.0.0.1 | x-forwarded-for: 203.0.113.7, | 10.0.0.1 | gap
and an empty header | 10.0.0.1 | x-forwarded-for: | 10.0.0.1 | gap
left of the caller anything may stand | 10.0.0.1 | x-forwarded-for: %%%, 203.0.113.7 | 203.0.113.7 | proves
a listed proxy that names nobody proves nothing | 127.0.0.1 |  | 127.0.0.1 | known
Forwarded is read as well | 10.0.0.1 | forwarded: for=192.0.2.60;proto=http;by=10.0.0.1 | 192.0.2.60 | proves
with IPv6 in quotes | 10.0.0.1 | forwarded: For="[2001:db8:b::17]:4711" | 2001:db8:b::17 | proves
and several elements | 10.0.0.1 | forwarded: for=127.0.0.1, for=203.0.113.7, for=10.0.0.2 | 203.0.113.7 | proves
an element without for is a gap | 10.0.0.1 | forwarded: for=203.0.113.7, proto=https | 10.0.0.1 | gap
an obfuscated hop is a gap | 10.0.0.1 | forwarded: for=_hidden | 10.0.0.1 | gap
a quote that is never closed | 10.0.0.1 | forwarded: for=127.0.0.1;x=", for=203.0.113.7 | 10.0.0.1 | gap
a quote that swallows the proxy | 10.0.0.1 | forwarded: for=127.0.0.1;x=", for="[2001:db8:b::1]" | 10.0.0.1 | gap
elements that are not separated by a comma | 10.0.0.1 | forwarded: for=10.0.0.5/for=203.0.113.7 | 10.0.0.1 | gap
two for in one element | 10.0.0.1 | forwarded: for=203.0.113.7;for=127.0.0.1 | 10.0.0.1 | gap
both headers that agree | 10.0.0.1 | x-forwarded-for: 203.0.113.7 && forwarded: for=203.0.113.7 | 203.0.113.7 | proves
both headers that disagree | 10.0.0.1 | x-forwarded-for: 203.0.113.7 && forwarded: for=127.0.0.1 | 10.0.0.1 | gap
more hops than anyone has | 10.0.0.1 | x-forwarded-for: 10.0.0.1 33 times | 10.0.0.1 | gap
`;

test('the address of a caller, by its peer and its headers', () => {
  for (const row of CASES.trim().split('\n')) {
    const [, peerAddress = '', lines = '', text, verdict] = row.split('|').map((part) => part.trim());
    const headers: Record<string, string | string[]> = {};
    for (const line of lines.split('&&').filter(Boolean)) {
      const [, name = '', written = ''] = /^ ?([\w-]+): ?(.*?) ?$/.exec(line) ?? [];
      const value = written === '10.0.0.1 33 times' ? Array(33).fill('10.0.0.1').join(',') : written;
      const before = headers[name];
      headers[name] = before === undefined ? value : [...[before].flat(), value];
    }
    // Twice: the second reading may be cached.
    for (const reading of [0, 1].map(() => clientAddressOf({ peerAddress, headers }))) {
      const known = reading.address !== undefined;
      const found = reading.provesNetwork ? 'proves' : known ? 'known' : 'gap';
      assert.deepEqual([reading.text, found], [text, verdict], row);
    }
  }
});

test('whatever a caller writes, the address that our proxy appends decides', () => {
  const forged = fc.oneof(
    fc.string(),
    fc.constantFrom('127.0.0.1', '::1', 'for=::1', '10.0.0.2', '"', 'for="', ','),
  );
  fc.assert(
    fc.property(fc.array(forged), fc.array(forged), (left, pairs) => {
      const list = clientAddressOf({
        peerAddress: '10.0.0.1',
        headers: { 'x-forwarded-for': [...left, '203.0.113.7'].join(',') },
      });
      assert.ok(list.address === undefined || list.text === '203.0.113.7', list.text);
      const forwarded = clientAddressOf({
        peerAddress: '10.0.0.1',
        headers: { forwarded: [...pairs, 'for=203.0.113.7;proto="https"'].join(',') },
      });
      assert.ok(forwarded.address === undefined || forwarded.text === '203.0.113.7', forwarded.text);
    }),
  );
});

/** Typed out as the services document them, in the case in which Node gives them. */
const SENT_BY_PROXIES = `
forwarded via max-forwards cdn-loop surrogate-capability proxy-connection proxy-authorization
x-forwarded x-forwarded-for x-forwarded-host x-forwarded-proto x-forwarded-port x-forwarded-server x-forwarded-prefix
x-forwarded-client-cert x-forwarded-anything-new x-forward-for x-real-ip x-real-port x-client-ip client-ip x-cluster-client-ip
x-remote-ip x-remote-addr x-original-url x-original-uri x-original-forwarded-for x-original-host x-originating-ip x-proxyuser-ip x-scheme
x-envoy-external-address x-envoy-expected-rq-timeout-ms x-envoy-original-path x-envoy-attempt-count
x-arr-log-id x-arr-ssl wl-proxy-client-ip x-varnish
cf-connecting-ip cf-connecting-ipv6 cf-ray cf-visitor cf-ipcountry cf-worker cf-ew-via
true-client-ip x-akamai-edgescape x-akamai-config-log-detail akamai-origin-hop
fastly-client-ip fastly-ff fastly-ssl fastly-orig-accept-encoding
x-amzn-trace-id x-amzn-oidc-data x-amzn-tls-version x-amz-cf-id cloudfront-viewer-address cloudfront-forwarded-proto
x-azure-clientip x-azure-socketip x-azure-ref x-azure-fdid x-fd-healthprobe disguised-host x-waws-unencoded-url was-default-hostname
x-cloud-trace-context x-appengine-user-ip x-appengine-country x-google-real-ip
incap-client-ip x-sucuri-clientip ali-cdn-real-ip eagleeye-traceid eo-connecting-ip
fly-client-ip fly-region fly-forwarded-port x-vercel-id x-vercel-forwarded-for x-nf-client-connection-ip x-nf-request-id
x-railway-edge x-railway-request-id x-render-origin-server render-proxy-ttl rndr-id do-connecting-ip
x-proxy-user-ip x-http-forwarded-for x-ms-client-ip x-ssl-client-cn x-ssl-client-verify ssl-client-cert front-end-https x-url-scheme
x-goog-iap-jwt-assertion x-goog-authenticated-user-email x-pomerium-jwt-assertion x-kong-request-id x-consumer-username
x-request-start x-heroku-queue-depth connect-time total-route-time tailscale-user-login ngrok-skip-browser-warning
`
  .trim()
  .split(/\s+/);

const SENT_BY_CLIENTS = `
host connection user-agent accept accept-encoding accept-language content-type content-length transfer-encoding
traceparent tracestate baggage x-request-id x-correlation-id idempotency-key x-api-version if-none-match
signature signature-input signature-agent authorization cookie cache-control pragma priority te expect from referer
sec-fetch-mode sec-fetch-site origin x-real x-client x-viators forward cf viasat x-amz-date x-forwardedness x-goog-api-client
`
  .trim()
  .split(/\s+/);

test('every header that proxies, load balancers and content networks add shows one', () => {
  for (const name of SENT_BY_PROXIES) {
    for (const value of ['', 'x']) assert.ok(showsProxy({ host: 'localhost', [name]: value }), name);
  }
});

test('what clients send on their own does not', () => {
  assert.ok(!showsProxy(Object.fromEntries(SENT_BY_CLIENTS.map((name) => [name, 'x']))));
  assert.ok(!showsProxy({ via: undefined }));
  assert.ok(!showsProxy({}));
});

test('names that nobody has seen before do not fill the memory, and are still judged', () => {
  for (let number = 0; number < 3000; number += 1) assert.ok(!showsProxy({ [`x-${number}`]: '' }));
  assert.ok(showsProxy({ 'x-forwarded-after-all-of-them': '' }));
});
