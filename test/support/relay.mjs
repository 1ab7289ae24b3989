// Relays connections: `node relay.mjs FROM TO [FROM TO ...]`, each the path of a socket or
// `<address>:<port>`. Writes "ready" when it listens at each FROM.
import { connect, createServer } from 'node:net';

/** Returns the options of a socket for a path, or an address and a port. */
function placeOf(text) {
  if (text.startsWith('/')) return { path: text };
  const end = text.lastIndexOf(':');
  return { host: text.slice(0, end), port: Number(text.slice(end + 1)) };
}

const words = process.argv.slice(2);
for (let n = 0; n < words.length; n += 2) {
  const to = placeOf(words[n + 1]);
  const server = createServer((near) => {
    const far = connect(to);
    near.pipe(far).pipe(near);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ]) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  await new Promise((resolve) => server.listen(placeOf(words[n]), resolve));
}
process.stdout.write('ready\n');
