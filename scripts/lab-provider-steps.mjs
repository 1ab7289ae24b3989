// Runs one real provider from Debian until Ctrl-C, for a test: prints its settings, and an address
// to which the test posts its own, `{redirectUri, metadata?, afterLogout?}`, once it knows them.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { startProvider } from '../lab/debian.mjs';
import { UntilInterrupted } from './until-interrupted.mjs';

const lab = new UntilInterrupted();

await lab.run(async () => {
  const provider = lab.keep(await startProvider(process.argv[2]));
  const server = createServer((request, response) => {
    text(request)
      .then((body) => provider.registerAt(JSON.parse(body)))
      .then(() => response.writeHead(204).end())
      .catch((error) => response.writeHead(500).end(String(error)));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  lab.keep({ stop: () => new Promise((resolve) => server.close(resolve)) });
  const settings = encodeURIComponent(JSON.stringify(provider.settings));
  const registration = `http://127.0.0.1:${server.address().port}/`;
  process.stdout.write(`Settings ${settings}\nRegistration ${registration}\nCtrl-C ends it.\n`);
});
