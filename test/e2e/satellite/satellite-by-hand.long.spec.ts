import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Person } from '../../support/organization.js';
import { signUpOperator } from '../../support/satellite.js';
import { withApp } from '../../support/test-app.js';
import { describeWith } from '../../support/tools.js';

describeWith(['bash', 'curl', 'openssl'], 'A satellite by hand', () => {
  const app = withApp();

  it('goes the way that docs/satellite-example.md shows', async () => {
    const [operator, visitor] = [await signUpOperator(app), await Person.signUp(app)];
    const env = {
      PATH: process.env['PATH'],
      GATEHOUSE_URL: app.url,
      OPERATOR_TOKEN: operator.token,
      VISITOR_TOKEN: visitor.token,
    };
    const { stdout, stderr } = await promisify(execFile)('bash', ['examples/help-centre/by-hand.sh'], {
      env,
    });
    expect(stderr).toBe('');
    expect(stdout.trim().split('\n')).toEqual([
      'The satellite knows Ada.',
      'Refresh without the secret: 401',
      'With the old secret: 400',
      'With the new secret: 400',
      'With a wrong secret: 401',
      'While it is disabled: 401',
      'Enabled again: 200',
      'Logout at the app: 204',
      'Then, at the satellite: 401',
    ]);
  });
});
