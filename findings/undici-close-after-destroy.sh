#!/usr/bin/env bash
# undici 7.30.2: close() of a client that was destroyed rejects; destroy() of it does not.
#
# Behaviour: destroy() may be called again and resolves. close() afterwards rejects with
# ClientDestroyedError (UND_ERR_DESTROYED) in place of resolving, although nothing is left to close.
# Consequence: a pool that closes idle clients without waiting (`void client.close()`) ends the
# process by an unhandled rejection as soon as something else, such as an agent that drops a broken
# connection, has destroyed the client first.
# Output: destroy resolves, close rejects ClientDestroyedError UND_ERR_DESTROYED
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts undici@7.30.2 >/dev/null 2>&1
cat >run.mjs <<'JS'
import { Client } from 'undici';
const client = new Client('http://127.0.0.1:9');
await client.destroy();
const outcome = (work) => work.then(() => 'resolves', ({ name, code }) => `rejects ${name} ${code}`);
const found = `destroy ${await outcome(client.destroy())}, close ${await outcome(client.close())}`;
console.log(found);
process.exit(found === 'destroy resolves, close rejects ClientDestroyedError UND_ERR_DESTROYED' ? 0 : 1);
JS
node run.mjs
