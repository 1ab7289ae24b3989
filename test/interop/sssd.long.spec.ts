import { spawn } from 'node:child_process';
import { describeWith } from '../support/tools.js';
import { Provider } from './harness.js';

const OIDC_CHILD = '/usr/libexec/sssd/oidc_child';
const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';

describeWith([OIDC_CHILD], 'oidc_child, by which SSSD signs people in to a machine,', () => {
  let provider: Provider;
  let client: { clientId: string; clientSecret: string };
  beforeAll(async () => {
    provider = await Provider.start();
    const none = { redirectUris: [], postLogoutRedirectUris: [] };
    client = await provider.register('', { ...none, grantTypes: [DEVICE_CODE] });
  });
  afterAll(() => provider?.stop());

  /** Runs the program with what it reads. @returns its output, and how it ended */
  const ask = async (step: string, input: string, secret = client.clientSecret) => {
    const { issuer, certificate } = provider;
    const who = ['--client-id', client.clientId, '--client-secret', secret, '--ca-db', certificate];
    const what = ['--scope', 'openid email', '--user-identifier-attribute', 'email', '--logger', 'stderr'];
    const child = spawn(OIDC_CHILD, [step, '--issuer-url', issuer, ...who, ...what]);
    child.stdin.end(input);
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const status = await new Promise((resolve) => child.once('close', resolve));
    return { output, status };
  };
  const begin = async () => {
    const { output } = await ask('--get-device-code', '');
    const [codes = '', message = ''] = output.split('\n');
    const { user_code: userCode } = JSON.parse(message.replace('oauth2 ', '')) as { user_code: string };
    return { codes, userCode };
  };
  const decide = (how: 'approve' | 'deny', userCode: string) =>
    provider.app.call('POST', `/api/v1/iam/auth/devices/${how}`, { userCode }, { token: provider.ada.token });

  it('shows a code, and names the person who enters it', async () => {
    const { codes, userCode } = await begin();
    expect((await decide('approve', userCode)).status).toBe(204);
    expect(await ask('--get-access-token', codes)).toEqual({ output: provider.ada.email, status: 0 });
  });

  it('names no one after a refusal, or with a wrong secret', async () => {
    const { codes, userCode } = await begin();
    expect((await decide('deny', userCode)).status).toBe(204);
    expect(await ask('--get-access-token', codes)).toMatchObject({ output: '' });
    expect(await ask('--get-device-code', '', 'wrong')).toMatchObject({ output: '' });
  });
});
