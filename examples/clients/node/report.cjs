// In CommonJS, which loads the client by import(): node report.cjs <organization>
const { GATEHOUSE_URL = 'http://localhost:3000', EMAIL = '', PASSWORD = '' } = process.env;
const [, , tenantId = ''] = process.argv;

async function main() {
  const { Gatehouse } = await import('@gatehouse/client');
  const gatehouse = new Gatehouse({ url: GATEHOUSE_URL, tenantId });
  await gatehouse.login({ email: EMAIL, password: PASSWORD });
  try {
    const { data: tenant } = await gatehouse.get('/api/v1/iam/tenants/{id}', {
      params: { path: { id: tenantId } },
    });
    console.log(`You are in ${tenant.name}.`);
  } finally {
    await gatehouse.logout();
  }
}

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
