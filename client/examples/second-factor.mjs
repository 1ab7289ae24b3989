import { Gatehouse, ProblemError } from '@gatehouse/client';

const { GATEHOUSE_URL = 'http://localhost:3000', EMAIL = '', PASSWORD = '', CODE = '' } = process.env;
const gatehouse = new Gatehouse({ url: GATEHOUSE_URL });

try {
  await gatehouse.login({ email: EMAIL, password: PASSWORD });
} catch (error) {
  if (!(error instanceof ProblemError) || !error.secondFactor) throw error;
  const { challenge, methods } = error.secondFactor; // of totp, passkey, recovery_code
  console.log(`Second factor: ${methods.join(', ')}`);
  await gatehouse.submitSecondFactor({ challenge, method: 'totp', code: CODE });
}
console.log('Signed in');
