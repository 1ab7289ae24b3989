import { spawnSync } from 'node:child_process';
import { Glewlwyd } from './glewlwyd/glewlwyd.mjs';
import { LemonLdapNg } from './lemonldap-ng/lemonldap-ng.mjs';
import { SimpleSamlPhp } from './simplesamlphp/simplesamlphp.mjs';

/** Identity providers that Debian has, by the names of its packages. */
const DEBIAN = { glewlwyd: Glewlwyd, 'lemonldap-ng': LemonLdapNg, simplesamlphp: SimpleSamlPhp };

/** Installs it if it is not there, as far as this user may, and starts it. */
export async function startProvider(name) {
  if (!Object.hasOwn(DEBIAN, name))
    throw new Error(`There is no ${name} in the laboratory: ${Object.keys(DEBIAN).join(', ')}.`);
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
