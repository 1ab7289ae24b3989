import { Gatehouse } from '@gatehouse/client';

const { GATEHOUSE_URL = 'http://localhost:3000', EMAIL = '', PASSWORD = '' } = process.env;
const gatehouse = new Gatehouse({ url: GATEHOUSE_URL });
gatehouse.on('signed-out', ({ reason }) => console.log(`Signed out: ${reason}`));
await gatehouse.login({ email: EMAIL, password: PASSWORD });

const { data: tenant } = await gatehouse.post('/api/v1/iam/tenants', {
  body: { name: 'Lovelace Logistics' },
});
await gatehouse.selectTenant(tenant.id);
const subject = `gatehouse:///iam/tenants/${tenant.id}`;
const may = await gatehouse.can(subject, ['iam:tenant:archive', 'iam:tenant:restore']);
console.log(may['iam:tenant:archive'].allowed);
if (!may['iam:tenant:restore'].allowed) console.log(may['iam:tenant:restore'].reason);

const { data: members } = await gatehouse.get('/api/v1/iam/tenants/{id}/members', {
  params: { path: { id: tenant.id }, query: { limit: 10 } },
});
console.log(members.items.map(({ roles }) => roles.join()));
await gatehouse.logout();
