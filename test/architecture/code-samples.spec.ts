import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CLIENT_SAMPLES } from '../../src/client-samples.js';
import { OpenApi, type Json } from '../support/openapi.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { TestApp } from '../support/test-app.js';

const run = promisify(execFile);

/**
 * Pages, redirects, forms and XML, which programs do not request by the client, and the token
 * endpoint, for which any OAuth library serves.
 */
const WITHOUT_CLIENT = [
  'authorize',
  'authorizeByForm',
  'beginConnectionSignIn',
  'completeExternalSignIn',
  'completeExternalSignInByConnection',
  'completeExternalSignInByForm',
  'completeExternalSignInByFormOfConnection',
  'endSession',
  'endSessionByForm',
  'explainError',
  'getClientLogo',
  'getLogo',
  'getPageOfMyData',
  'getSamlMetadata',
  'getSamlMetadataOfConnection',
  'getSamlProviderMetadata',
  'importPeople',
  'issueToken',
  'listOrganizationAuditAnchors',
  'logoutBySaml',
  'logoutBySamlForm',
  'logoutByToken',
  'openAuthorizationAnswer',
  'openSamlAnswer',
  'openSamlRequest',
  'receiveFacebookDeauthorization',
  'receiveFacebookDeletion',
  'receiveSignal',
  'showApiDocs',
  'signInBySaml',
  'signInBySamlForm',
  'signOutBySaml',
  'signOutBySamlForm',
  'startSamlSignIn',
  'streamOrganizationAuditEvents',
];

describe('Code samples of the API reference', () => {
  let app: TestApp;
  let operations: OpenApi['operations'];
  let folder: string;
  beforeAll(async () => {
    folder = temporaryFolder('samples');
    app = await TestApp.start();
    operations = new OpenApi((await app.get('/api/docs/openapi.json')).body).operations;
  });
  afterAll(async () => {
    await app.stop();
    await rm(folder, { recursive: true });
  });

  const sampleOf = (operation: Json, label: string): string | undefined =>
    operation['x-codeSamples'].find((sample: Json) => sample.label === label)?.source;
  const write = (files: Readonly<Record<string, string>>) =>
    Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)));

  it('exist by curl for each operation, in the syntax of the shell', async () => {
    const calls = operations.map(({ operation }) => sampleOf(operation, 'curl'));
    expect(calls).toEqual(calls.map(() => expect.stringMatching(/^curl /)));
    await write({ 'calls.sh': `curl() { echo "$#"; }\n${calls.join('\n')}\n` });
    const { stdout } = await run('sh', ['-eu', join(folder, 'calls.sh')], {
      env: { ...process.env, ACCESS_TOKEN: 'x' },
    });
    expect(stdout.trim().split('\n')).toHaveLength(operations.length);
  });

  it('exist by the client for each operation that programs call', () => {
    const without = operations.filter(({ operation }) => !sampleOf(operation, '@gatehouse/client'));
    expect(without.map(({ operation }) => operation.operationId).toSorted()).toEqual(WITHOUT_CLIENT);
  });

  it('use a method of the client for operations of the document only', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(ids).toEqual(expect.arrayContaining(Object.keys(CLIENT_SAMPLES)));
  });
});
