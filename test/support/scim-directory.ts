import { ulid } from 'ulid';
import type { Organization } from './organization.js';

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

export interface ScimAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

/** A directory of an organization, called as an identity provider does. */
export class ScimDirectory {
  private constructor(
    readonly organization: Organization,
    readonly id: string,
    readonly token: string,
  ) {}

  static async create(organization: Organization, fields: object = {}): Promise<ScimDirectory> {
    const { body } = await organization.call('POST', '/directories', { name: 'Entra ID', ...fields });
    const path = `/directories/${String(body['id'])}`;
    const token = await organization.call('POST', `${path}/tokens`, { name: 'First' });
    return new ScimDirectory(organization, String(body['id']), String(token.body['token']));
  }

  /** Takes a token of a directory that exists. */
  static of(organization: Organization, id: string, token: string): ScimDirectory {
    return new ScimDirectory(organization, id, token);
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ScimAnswer> {
    const response = await fetch(`${this.organization.service.url}/api/scim/v2/${this.id}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${this.token}`,
        'Content-Type': 'application/scim+json',
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
    return { status: response.status, headers: response.headers, body: parsed };
  }

  patch(path: string, ...Operations: object[]): Promise<ScimAnswer> {
    return this.call('PATCH', path, { schemas: [PATCH_SCHEMA], Operations });
  }

  /** Creates a user. @returns the id */
  async create(email: string, more: object = {}): Promise<string> {
    const { status, body } = await this.call('POST', '/Users', userOf(email, more));
    if (status !== 201) throw new Error(`Creating a user answered ${status} ${JSON.stringify(body)}.`);
    return String(body['id']);
  }
}

/** Returns an active user with one address. */
export const userOf = (email: string, more: object = {}) => ({
  schemas: [USER_SCHEMA],
  userName: email,
  active: true,
  emails: [{ value: email, type: 'work', primary: true }],
  ...more,
});

/** Makes a domain a verified one of the organization. */
export async function verifyDomain({ service, id }: Organization, domain: string): Promise<void> {
  await service.sql(
    "INSERT INTO tenant_domains (tenant_id, id, domain, token, status, verified_at) VALUES ($1, $2, $3, $2, 'verified', now())",
    [id, ulid(), domain],
  );
}
