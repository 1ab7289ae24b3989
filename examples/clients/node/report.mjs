// Lists the members of an organization: node report.mjs <organization>
import { Gatehouse } from '@gatehouse/client';

const { GATEHOUSE_URL = 'http://localhost:3000', EMAIL = '', PASSWORD = '' } = process.env;
const [, , tenantId = ''] = process.argv;
const gatehouse = new Gatehouse({ url: GATEHOUSE_URL, tenantId });
await gatehouse.login({ email: EMAIL, password: PASSWORD });
try {
  let cursor;
  do {
    const { data: page } = await gatehouse.get('/api/v1/iam/tenants/{id}/members', {
      params: { path: { id: tenantId }, query: cursor ? { cursor } : {} },
    });
    for (const { firstName, email, roles } of page.items)
      console.log(`${firstName} <${email}> ${roles.join(', ')}`);
    cursor = page.nextCursor;
  } while (cursor);
} finally {
  await gatehouse.logout();
}
