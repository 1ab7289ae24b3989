const { GATEHOUSE_URL = 'http://localhost:3000', EMAIL = '', PASSWORD = '' } = process.env;

async function main() {
  const { Gatehouse } = await import('@gatehouse/client'); // from Node 20.19 on, require() does the same
  const gatehouse = new Gatehouse({ url: GATEHOUSE_URL });
  await gatehouse.login({ email: EMAIL, password: PASSWORD });
  const { data: me } = await gatehouse.get('/api/v1/iam/me');
  console.log(`Hello ${me.firstName}`);
  await gatehouse.logout();
}

void main();
