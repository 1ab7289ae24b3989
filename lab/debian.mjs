import { Glewlwyd } from './glewlwyd/glewlwyd.mjs';
import { SimpleSamlPhp } from './simplesamlphp/simplesamlphp.mjs';

/** Identity providers that Debian has, by the names of its packages. */
const DEBIAN = { glewlwyd: Glewlwyd, simplesamlphp: SimpleSamlPhp };

/** @throws for a name that is not known */
export async function startProvider(name) {
  if (!Object.hasOwn(DEBIAN, name))
    throw new Error(`There is no ${name} in the laboratory: ${Object.keys(DEBIAN).join(', ')}.`);
  const provider = new DEBIAN[name]();
  try {
    await provider.start();
  } catch (error) {
    await provider.stop();
    throw error;
  }
  return provider;
}
