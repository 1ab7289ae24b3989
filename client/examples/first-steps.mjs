import { Gatehouse } from '@gatehouse/client';

const { GATEHOUSE_URL = 'http://localhost:3000', EMAIL = '', PASSWORD = '' } = process.env;
const gatehouse = new Gatehouse({ url: GATEHOUSE_URL }); // in a browser: storage: browserStorage()

await gatehouse.login({ email: EMAIL, password: PASSWORD });
const { data: me } = await gatehouse.get('/api/v1/iam/me');
console.log(`Hello ${me.firstName}`);
await gatehouse.logout();
