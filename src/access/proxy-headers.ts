import type { CallerFacts } from './caller-facts.ts';

/**
 * Headers that show that somebody forwarded the request; a name that ends in `*` stands for all that begin so. Left out is what
 * clients send on their own: `traceparent` and `X-Request-Id` show tracing, not a proxy.
 */
const PROXY_HEADERS: Readonly<Record<string, readonly string[]>> = {
  'the standards': ['forwarded', 'via', 'max-forwards', 'cdn-loop', 'surrogate-capability', 'proxy-*'],
  'nginx, HAProxy, Apache, Traefik, Caddy, Squid and most load balancers': [
    'x-forwarded',
    'x-forwarded-*',
    'x-forward-for',
    'x-real-*',
    'x-client-ip',
    'client-ip',
    'x-cluster-client-ip',
    'x-remote-ip',
    'x-remote-addr',
    'x-original-*',
    'x-originating-*',
    'x-proxyuser-ip',
    'x-proxy-user-ip',
    'x-http-forwarded-for',
    'x-ssl-client-*',
    'ssl-client-*',
    'front-end-https',
    'x-scheme',
    'x-url-scheme',
  ],
  'Envoy and Istio': ['x-envoy-*'],
  'Kong and Pomerium': ['x-kong-*', 'x-consumer-*', 'x-pomerium-*'],
  'IIS and WebLogic': ['x-arr-*', 'wl-proxy-*'],
  Varnish: ['x-varnish'],
  Cloudflare: ['cf-*'],
  Akamai: ['true-client-ip', 'x-akamai-*', 'akamai-*'],
  Fastly: ['fastly-*'],
  'Amazon CloudFront, load balancers and API Gateway': ['x-amzn-*', 'x-amz-cf-id', 'cloudfront-*'],
  'Azure Front Door and App Service': [
    'x-azure-*',
    'x-fd-*',
    'x-ms-client-ip',
    'disguised-host',
    'x-waws-*',
    'was-default-*',
  ],
  'Google Cloud and App Engine': [
    'x-cloud-trace-context',
    'x-appengine-*',
    'x-google-*',
    'x-goog-iap-*',
    'x-goog-authenticated-*',
  ],
  Imperva: ['incap-*'],
  Sucuri: ['x-sucuri-*'],
  'Alibaba Cloud and Tencent EdgeOne': ['ali-*', 'eagleeye-*', 'eo-*'],
  'Fly, Vercel, Netlify, Railway, Render, DigitalOcean': [
    'fly-*',
    'x-vercel-*',
    'x-nf-*',
    'x-railway-*',
    'x-render-*',
    'render-*',
    'rndr-*',
    'do-connecting-ip',
  ],
  Heroku: ['x-request-start', 'x-heroku-*', 'connect-time', 'total-route-time'],
  'tunnels to a machine at home': ['tailscale-*', 'ngrok-*'],
};

const MAX_REMEMBERED_NAMES = 1000;
const listed = Object.values(PROXY_HEADERS).flat();
const wholeNames = new Set(listed.filter((name) => !name.endsWith('*')));
const beginnings = listed.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
/** Every request is looked through, and nearly all have the same few names. */
const verdicts = new Map<string, boolean>();

export function showsProxy(headers: CallerFacts['headers']): boolean {
  for (const name in headers) {
    if ((verdicts.get(name) ?? judge(name)) && headers[name] !== undefined) return true;
  }
  return false;
}

function judge(name: string): boolean {
  const verdict = wholeNames.has(name) || beginnings.some((beginning) => name.startsWith(beginning));
  if (verdicts.size < MAX_REMEMBERED_NAMES) verdicts.set(name, verdict);
  return verdict;
}
