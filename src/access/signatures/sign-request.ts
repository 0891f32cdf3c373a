import { type InnerList, type Item, serializeDictionary, serializeInnerList } from 'structured-headers';
import { type SignatureKey, signBase } from './keys.ts';
import { componentValuesOf, partsOfRequestTo, type RequestParts, signatureBase } from './signature-base.ts';

/** A request that is about to be sent. Names of headers in lower case. */
export type RequestToSign = Pick<RequestParts, 'method' | 'headers'> & { readonly url: string };

export type SigningOptions = {
  readonly key: SignatureKey;
  /** The origin that publishes the key in its directory, such as `https://network.example`. */
  readonly agent: string;
  /** Names the signature within the request. */
  readonly label?: string;
  /** The signed components beside `Signature-Agent`. By default method, host, path and query. */
  readonly components?: readonly Item[];
  /** Epoch seconds. */
  readonly created: number;
  /** Epoch seconds. */
  readonly expires: number;
  readonly nonce?: string;
};

/** The headers to send with the request. */
export type SignatureHeaders = {
  readonly signature: string;
  readonly 'signature-input': string;
  readonly 'signature-agent': string;
};

export const WEB_BOT_AUTH = 'web-bot-auth';

/** Method, host, path and query separately instead of the whole URL: behind a proxy, a server does not know the scheme of the request. */
export const WHOLE_REQUEST = ['@method', '@authority', '@path', '@query'].map((name) => component(name));

/** Signs a request according to the Web Bot Auth drafts. Throws if a component is not in the request. */
export function signRequest(request: RequestToSign, options: SigningOptions): SignatureHeaders {
  const { key, agent, label = 'sig1', components = WHOLE_REQUEST, created, expires, nonce } = options;
  const agentHeader = serializeDictionary({ [label]: agent });
  const input: InnerList = [
    [...components, component('signature-agent', { key: label })],
    new Map<string, string | number>([
      ['created', created],
      ['expires', expires],
      ['keyid', key.keyid],
      ['alg', key.algorithm],
      ...(nonce === undefined ? [] : [['nonce', nonce] as const]),
      ['tag', WEB_BOT_AUTH],
    ]),
  ];
  const parts = partsOfRequestTo(new URL(request.url), {
    method: request.method,
    headers: { ...request.headers, 'signature-agent': agentHeader },
  });
  const base = signatureBase(input, componentValuesOf(parts));
  if (base.kind === 'invalid') throw new Error(`cannot sign: ${base.faults.join(', ')}`);
  return {
    signature: serializeDictionary({ [label]: signBase(key, base.value) }),
    'signature-input': `${label}=${serializeInnerList(input)}`,
    'signature-agent': agentHeader,
  };
}

export function component(name: string, parameters: Readonly<Record<string, string | boolean>> = {}): Item {
  return [name, new Map(Object.entries(parameters))];
}
