import type { CliSettings } from '../command.ts';

type HostSettings = Pick<CliSettings, 'publicUrl' | 'hosts'>;

/** For which host a signature has to be made, and which setting says so: `stays.example (STAYWIRE_PUBLIC_URL)`. Null where none does. */
export function hostsToSignFor({ publicUrl, hosts }: HostSettings): string | null {
  const named = [
    ...(publicUrl === null ? [] : [`${new URL(publicUrl).host} (STAYWIRE_PUBLIC_URL)`]),
    ...hosts.map((host) => `${host} (STAYWIRE_HOSTS)`),
  ];
  return named.length === 0 ? null : named.join(' or ');
}

export const NO_HOST_TO_SIGN_FOR =
  'Every signature is refused while neither STAYWIRE_PUBLIC_URL nor STAYWIRE_HOSTS says for which host it has to be made. The environment of this command has neither: set one for the service.';
