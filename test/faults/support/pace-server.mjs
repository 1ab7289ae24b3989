// Answers every request after a transaction of a few statements, as the service does for a read.
import { createServer } from 'node:http';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.argv[2], application_name: 'pace' });
pool.on('error', () => undefined); // the server may be restarted

const server = createServer(async (_request, response) => {
  const client = await pool.connect();
  for (const statement of ['BEGIN', 'SELECT 1', 'SELECT 2', 'COMMIT']) await client.query(statement);
  client.release();
  response.end('{}');
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
process.stdin.resume().on('end', () => process.exit()); // with the test
