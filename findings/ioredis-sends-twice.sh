#!/usr/bin/env bash
# ioredis 6.0.0: a command whose answer was lost is sent a second time.
#
# Behaviour: when the connection breaks after a command was written, the client connects again and
# sends it again (autoResendUnfulfilledCommands, on by default), also where the server has carried it
# out and only the answer was lost. The call resolves with what the second time gives.
# Consequence: at a failover or a restart of a proxy, a one-time code that is read by GETDEL is gone
# though no caller used it, SET NX of a new identifier (jti) says it was there, and INCR counts one
# attempt as two. Scripts that recognize their own first run do not have this.
# Output: GETDEL null, SET NX null, INCR 2; with the option off, each call rejects
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts ioredis@6.0.0 redis-parser@3.0.0 >/dev/null 2>&1
cat >run.cjs <<'JS'
const { createServer } = require('node:net');
const { Redis } = require('ioredis');
const Parser = require('redis-parser');

const COMMANDS = {
  hello: () => '%1\r\n+proto\r\n:3\r\n',
  getdel: (data, key) => {
    const value = data.get(key);
    data.delete(key);
    return value === undefined ? '$-1\r\n' : `$${value.length}\r\n${value}\r\n`;
  },
  set: (data, key, value) => (data.has(key) ? '$-1\r\n' : (data.set(key, value), '+OK\r\n')),
  incr: (data, key) => {
    data.set(key, (data.get(key) ?? 0) + 1);
    return `:${data.get(key)}\r\n`;
  },
};
/** A server that carries each command out; the connection of the first one breaks before its answer. */
async function outcome(options, ...words) {
  const data = new Map([['code', 'ada']]);
  let isFirst = true;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    const reply = ([name, ...values]) => {
      const answer = COMMANDS[name.toLowerCase()](data, ...values);
      if (!isFirst || name === 'hello') return socket.write(answer);
      isFirst = false;
      socket.destroy();
    };
    // A request has the form of an answer: an array of texts.
    const parser = new Parser({ returnReply: reply, returnError: reply });
    socket.on('data', (bytes) => parser.execute(bytes));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const redis = new Redis(server.address().port, { enableReadyCheck: false, disableClientInfo: true, ...options });
  redis.on('error', () => undefined);
  const result = await redis.call(...words).catch(() => 'rejects');
  redis.disconnect();
  server.close();
  return result;
}
const CALLS = { GETDEL: ['GETDEL', 'code'], 'SET NX': ['SET', 'jti', '1', 'NX'], INCR: ['INCR', 'attempts'] };
const lines = async (options) => {
  const found = [];
  for (const [name, words] of Object.entries(CALLS)) found.push(`${name} ${await outcome(options, ...words)}`);
  return found.join(', ');
};
(async () => {
  const byDefault = await lines({});
  const off = await lines({ autoResendUnfulfilledCommands: false, maxRetriesPerRequest: 0 });
  console.log(`by default: ${byDefault}; off: ${off}`);
  const wanted = 'GETDEL null, SET NX null, INCR 2';
  process.exit(byDefault === wanted && off === 'GETDEL rejects, SET NX rejects, INCR rejects' ? 0 : 1);
})();
JS
timeout 60 node run.cjs
