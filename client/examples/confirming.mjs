import { Gatehouse } from '@gatehouse/client';

const { GATEHOUSE_URL = 'http://localhost:3000', EMAIL = '', PASSWORD = '' } = process.env;
const gatehouse = new Gatehouse({
  url: GATEHOUSE_URL,
  // In a browser this opens a dialog; null gives up, and the operation throws.
  onStepUp: async ({ methods }) =>
    methods.includes('password') ? { method: 'password', password: PASSWORD } : null,
});

await gatehouse.login({ email: EMAIL, password: PASSWORD });
await gatehouse.delete('/api/v1/iam/auth/account');
await gatehouse.forget();
console.log('Erased');
