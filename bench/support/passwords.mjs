import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Secret } from '../../dist/src/platform/config/secret.js';
import { KeyDerivation } from '../../dist/src/platform/crypto/index.js';
import { PasswordHasher } from '../../dist/src/iam/accounts/credentials/password-hasher.js';
import { pinned, PLACE } from './place.mjs';

const run = promisify(execFile);
const unmeasured = { gauge() {}, counter: () => ({ inc() {} }) };

/** The service's default, and what is measured. */
const COST = 12;
export const PASSWORD = 'correct horse battery staple';

/** The stored form of everybody's password, made by the service's own code under its own key. */
export function storedPassword({ rootSecret }) {
  const keys = new KeyDerivation(new Secret(Buffer.from(rootSecret, 'base64')));
  return new PasswordHasher(keys, { BCRYPT_COST: COST }, unmeasured).hash(PASSWORD, 'bench');
}

/** How many hashes a second bcrypt reaches by itself, in the service's place. */
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
