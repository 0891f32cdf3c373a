import type { AddressSet } from '../parsing/ip-address.ts';
import type { AccessList } from './access-list.ts';
import type { Assistant } from './registry/assistant-registry.ts';

/** The entries of all assistants by kind of proof, in the order of the file. */
export type RecognitionsByProof = {
  readonly signatures: readonly { readonly assistant: Assistant; readonly keysUrl: string }[];
  readonly ranges: readonly {
    readonly assistant: Assistant;
    readonly token: string;
    readonly userAgent: RegExp;
    readonly ranges: AddressSet;
  }[];
  readonly reverseDns: readonly {
    readonly assistant: Assistant;
    readonly token: string;
    readonly userAgent: RegExp;
    readonly domains: readonly string[];
  }[];
  readonly networks: readonly { readonly assistant: Assistant; readonly networks: AddressSet }[];
};

export function recognitionsByProof({ assistants }: Pick<AccessList, 'assistants'>): RecognitionsByProof {
  const all = assistants.flatMap((assistant) => assistant.recognisedBy.map((way) => ({ assistant, way })));
  return {
    signatures: all.flatMap(({ assistant, way }) =>
      way.kind === 'signature' ? [{ assistant, keysUrl: way.keysUrl }] : [],
    ),
    ranges: all.flatMap(({ assistant, way }) =>
      way.kind === 'ranges'
        ? [{ assistant, token: way.userAgent, userAgent: tokenPattern(way.userAgent), ranges: way.ranges }]
        : [],
    ),
    reverseDns: all.flatMap(({ assistant, way }) =>
      way.kind === 'reverse_dns'
        ? [{ assistant, token: way.userAgent, userAgent: tokenPattern(way.userAgent), domains: way.domains }]
        : [],
    ),
    networks: all.flatMap(({ assistant, way }) =>
      way.kind === 'network' ? [{ assistant, networks: way.networks }] : [],
    ),
  };
}

/** The whole product token: `Claude-User` is in `Claude-User/1.0` and not in `Claude-Users`. */
function tokenPattern(token: string): RegExp {
  return new RegExp(`(?<![\\w-])${token.replace(/[^\w-]/g, '\\$&')}(?![\\w-])`, 'i');
}
