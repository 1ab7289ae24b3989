import { Injectable } from '@nestjs/common';
import { GroupMembershipRepository } from '../../directory/index.js';
import { DirectoryWorkers } from '../../frontline/index.js';
import { MembershipDirectory, nameOf, ProfileService, TenantService } from '../../iam/index.js';
import type { TenantId, UserId } from '../../kernel/index.js';
import type { SamlSettings } from '../clients/saml-client.js';
import type { AttributeSource, NAME_FORMATS } from '../clients/saml-values.js';
import { element, type Xml } from '../messages/xml-builder.js';

const FORMAT = 'urn:oasis:names:tc:SAML:2.0:attrname-format';
const FORMATS: Readonly<Record<(typeof NAME_FORMATS)[number], string>> = {
  basic: `${FORMAT}:basic`,
  uri: `${FORMAT}:uri`,
  unspecified: `${FORMAT}:unspecified`,
};

/** About whom, and in which organization: null outside of all. */
interface Asked {
  readonly userId: UserId;
  readonly tenantId: TenantId | null;
}

type Values = (asked: Asked) => Promise<readonly (string | null)[]>;

/** Reads the attributes of assertions. */
@Injectable()
export class ReleasedAttributes {
  private readonly sources: Readonly<Record<AttributeSource, Values>>;

  constructor(
    profiles: ProfileService,
    tenants: TenantService,
    directory: MembershipDirectory,
    groups: GroupMembershipRepository,
    workers: DirectoryWorkers,
  ) {
    const ofTenant =
      (read: (tenantId: TenantId, userId: UserId) => Promise<readonly (string | null)[]>): Values =>
      async ({ tenantId, userId }) =>
        tenantId === null ? [] : read(tenantId, userId);
    this.sources = {
      email: async ({ userId }) => [(await profiles.getProfile(userId)).email],
      name: async ({ userId }) => [nameOf(await profiles.getProfile(userId))],
      'first-name': async ({ userId }) => [(await profiles.getProfile(userId)).firstName],
      'last-name': async ({ userId }) => [(await profiles.getProfile(userId)).lastName],
      'organization-id': ofTenant((id) => Promise.resolve([id])),
      'organization-slug': ofTenant(async (id) => [(await tenants.get(id)).slug]),
      'organization-name': ofTenant(async (id) => [(await tenants.get(id)).name]),
      roles: ofTenant((id, userId) => directory.findRoleKeys(userId, id)),
      groups: ofTenant((id, userId) => groups.findNames(id, userId)),
      'worker-number': ofTenant(async (id, userId) => [await workers.findNumber(id, userId)]),
    };
  }

  /** Returns the attributes that a client learns; those without a value are left out. */
  async read({ attributes }: SamlSettings, asked: Asked): Promise<Xml[]> {
    const found: Xml[] = [];
    for (const { name, nameFormat, source } of attributes) {
      const values = (await this.sources[source](asked)).filter((value) => value !== null);
      if (values.length === 0) continue;
      const content = values.map((value) => element('saml:AttributeValue', {}, value));
      found.push(element('saml:Attribute', { Name: name, NameFormat: FORMATS[nameFormat] }, ...content));
    }
    return found;
  }
}
