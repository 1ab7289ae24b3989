import { spawnSync } from 'node:child_process';
import { Glewlwyd } from './glewlwyd/glewlwyd.mjs';
import { LemonLdapNg } from './lemonldap-ng/lemonldap-ng.mjs';
import { SimpleSamlPhp } from './simplesamlphp/simplesamlphp.mjs';

/** Debian's identity providers, by package name. */
const DEBIAN = { glewlwyd: Glewlwyd, 'lemonldap-ng': LemonLdapNg, simplesamlphp: SimpleSamlPhp };

/** Names of the providers that {@link startProvider} takes. */
export const PROVIDERS = Object.keys(DEBIAN);

/** Installs the provider if it is missing and this user may, and starts it. */
export async function startProvider(name) {
  if (!Object.hasOwn(DEBIAN, name))
    throw new Error(`There is no ${name} in the lab: ${PROVIDERS.join(', ')}.`);
  const { status } = spawnSync('scripts/need.sh', [name], { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`${name} is not installed.`);
  const provider = new DEBIAN[name]();
  try {
    await provider.start();
  } catch (error) {
    await provider.stop();
    throw error;
  }
  return provider;
}
