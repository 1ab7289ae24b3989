import { createServer } from 'node:net';

// Receivers that never answer, on all addresses of this machine and the given port, until a signal.
const server = createServer((socket) => socket.on('error', () => undefined).resume());
server.listen({ port: Number(process.argv[2]), host: '0.0.0.0', backlog: 4_096 }, () =>
  process.stdout.write('listening\n'),
);
