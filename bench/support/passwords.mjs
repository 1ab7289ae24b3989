import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Secret } from '../../dist/src/platform/config/secret.js';
import { KeyDerivation } from '../../dist/src/platform/crypto/index.js';
import { PasswordHasher } from '../../dist/src/iam/accounts/credentials/password-hasher.js';
import { pinned, PLACE } from './place.mjs';

const run = promisify(execFile);
const unmeasured = { gauge() {}, counter: () => ({ inc() {} }) };

/** Default cost of the service. */
const COST = 12;
export const PASSWORD = 'correct horse battery staple';

/** Hashes the password that all people share, by the service's own code with its own key. */
export function storedPassword({ rootSecret }) {
  const keys = new KeyDerivation(new Secret(Buffer.from(rootSecret, 'base64')));
  return new PasswordHasher(keys, { BCRYPT_COST: COST, WORKERS: 1 }, unmeasured).hash(PASSWORD, 'bench');
}

/** Returns hashes per second of bcrypt alone, on the service's cores. */
export async function bcryptAlone(count, where = PLACE.service) {
  const [command, ...args] = pinned(where, [
    process.execPath,
    'bench/peers/bcrypt.mjs',
    String(count),
    String(COST),
  ]);
  const { stdout } = await run(command, args);
  return { perSecond: Number(stdout) };
}
