import type { Gatehouse } from '@gatehouse/client';

/** The signed-in user, as `GET /api/v1/iam/me` returns them. */
export type User = Awaited<ReturnType<typeof readUser>>;

/** An organization of the user, as `GET /api/v1/iam/me/tenants` lists it. */
export type Organization = Awaited<ReturnType<typeof readOrganizations>>[number];

/** Reads the user. */
export async function readUser(client: Gatehouse) {
  return (await client.get('/api/v1/iam/me')).data;
}

/** Reads all pages: a switch of organizations shows each. */
export async function readOrganizations(client: Gatehouse) {
  const read = async (cursor?: string) =>
    (
      await client.get('/api/v1/iam/me/tenants', {
        params: { query: { limit: 100, ...(cursor && { cursor }) } },
      })
    ).data;
  const organizations = [];
  for (let page = await read(); ; page = await read(page.nextCursor)) {
    organizations.push(...page.items);
    if (page.nextCursor === null) return organizations;
  }
}
