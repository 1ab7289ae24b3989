// Runs next to a test run. Ends its PostgreSQL and removes its files when the run ends without a
// teardown, for example by SIGKILL.
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const [dataDir = '', pid] = process.argv.slice(2);

process.stdin.resume().once('end', () => {
  endPostgres().catch((error: unknown) =>
    process.stderr.write(`Files are left at ${dataDir}: ${String(error)}\n`),
  );
});

async function endPostgres(): Promise<void> {
  try {
    process.kill(Number(pid), 'SIGINT'); // PostgreSQL's fast shutdown
    for (;;) {
      process.kill(Number(pid), 0);
      await sleep(50);
    }
  } catch {
    // It has ended already.
  }
  await rm(dataDir, { recursive: true, force: true });
}
