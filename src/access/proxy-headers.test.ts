import assert from 'node:assert/strict';
import { test } from 'node:test';
import { showsProxy } from './proxy-headers.ts';

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
