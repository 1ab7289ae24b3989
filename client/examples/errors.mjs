import { Gatehouse, ProblemError, SignedOutError, UnreachableError } from '@gatehouse/client';

const { GATEHOUSE_URL = 'http://localhost:3000', EMAIL = '', PASSWORD = '' } = process.env;
const gatehouse = new Gatehouse({ url: GATEHOUSE_URL });

/** @param {unknown} error */
function explain(error) {
  if (error instanceof SignedOutError) return 'Please sign in.';
  if (error instanceof UnreachableError) return 'The service cannot be reached. Try again later.';
  if (!(error instanceof ProblemError)) throw error;
  switch (error.code) {
    case 'invalid-credentials':
      return 'The email address or the password is wrong.';
    case 'validation-error': // one line for each field of the form
      return error.violations.map(({ propertyPath, message }) => `${propertyPath}: ${message}`).join('\n');
    case 'too-many-requests':
      return `Try again in ${error.retryAfterSeconds} seconds.`;
    default:
      return `${error.message} (Request ${error.requestId})`;
  }
}

await gatehouse.get('/api/v1/iam/me').catch((error) => console.log(explain(error)));
await gatehouse.login({ email: EMAIL, password: 'wrong' }).catch((error) => console.log(explain(error)));
await gatehouse.login({ email: EMAIL, password: PASSWORD });
const body = { firstName: 'x'.repeat(1000) };
await gatehouse.patch('/api/v1/iam/me', { body }).catch((error) => console.log(explain(error)));
