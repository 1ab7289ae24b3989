// Prints the comment that the called script begins with, for `--help`, and ends. Imported first.
import { readFileSync } from 'node:fs';

if (process.argv.slice(2).some((word) => ['--help', '-h'].includes(word))) {
  const lines = readFileSync(process.argv[1], 'utf8').split('\n');
  const comment = lines.slice(
    0,
    lines.findIndex((line) => !line.startsWith('//')),
  );
  process.stdout.write(`${comment.map((line) => line.slice(3)).join('\n')}\n`);
  process.exit(0);
}
