import { AsyncResource } from 'node:async_hooks';
import { DomainRepository } from '../../src/connection/domains/domain.repository.js';
import { MetadataRepository } from '../../src/connection/metadata/metadata.repository.js';
import { DirectoryTokenRepository } from '../../src/directory/directories/directory-token.repository.js';
import { InvitationRepository } from '../../src/iam/organizations/invitations/invitation.repository.js';
import { TenantRepository } from '../../src/iam/organizations/tenants/tenant.repository.js';
import { CredentialRepository } from '../../src/machine/keys/credential.repository.js';
import { Database } from '../../src/platform/database/index.js';
import { SamlStandIn } from '../lab/saml-stand-in.js';
import { LabConnection, samlSettings } from '../support/connection.js';
import { Organization } from '../support/organization.js';
import { ScimDirectory } from '../support/scim-directory.js';
import { eventually, withApp } from '../support/test-app.js';

const BATCH = 100;

describe('Rows that a job takes', () => {
  const lab = new SamlStandIn();
  let database: Database;
  let organization: Organization;
  const app = withApp();
  beforeAll(async () => {
    database = app.app.get(Database, { strict: false });
    organization = await Organization.found(app);
  });

  const get = <T>(type: new (...parameters: never[]) => T): T => app.app.get(type, { strict: false });
  const WAYS: Record<string, { due: () => Promise<unknown>; take: () => Promise<readonly object[]> }> = {
    'invitations that have expired': {
      due: async () => {
        await organization.call('POST', '/invitations', { email: 'guest@example.com', roles: ['member'] });
        await app.sql('UPDATE invitations SET expires_at = now()');
      },
      take: () => get(InvitationRepository).noteExpired(BATCH),
    },
    'tokens of directories that end soon': {
      due: async () => {
        await ScimDirectory.create(organization);
        await app.sql('UPDATE directory_tokens SET warn_at = now()');
      },
      take: () => get(DirectoryTokenRepository).takeExpiring(BATCH),
    },
    'keys of service accounts that end soon': {
      due: async () => {
        const { body } = await organization.call('POST', '/service-accounts', {
          name: 'Export',
          roles: ['member'],
        });
        const path = `/service-accounts/${String(body['id'])}/keys`;
        await organization.call('POST', path, { name: 'Nightly' });
        await app.sql('UPDATE machine_credentials SET warn_at = now()');
      },
      take: () => get(CredentialRepository).takeExpiring(BATCH),
    },
    'metadata that is to be read': {
      due: async () => {
        await LabConnection.create(organization, samlSettings(lab));
        await app.sql(
          "UPDATE saml_connections SET metadata_url = 'https://idp.example/', next_fetch_at = now()",
        );
      },
      take: () => get(MetadataRepository).claimDue(BATCH),
    },
    'domains that are to be looked up': {
      due: async () => {
        await organization.call('POST', '/domains', { name: 'taken-once.example' });
        await app.sql(
          "UPDATE tenant_domains SET status = 'verified', checked_at = now() - interval '2 days'",
        );
      },
      take: () => get(DomainRepository).claimDue(BATCH),
    },
    'organizations whose owners are to be told': {
      due: () => app.sql('UPDATE tenants SET other_connections_told = false'),
      take: () => get(TenantRepository).takeUntoldForUpdate(BATCH),
    },
  };

  it.each(Object.entries(WAYS))(
    'are not taken by another replica, which does not wait: %s',
    async (_, way) => {
      await way.due();
      const takeOutside = AsyncResource.bind(way.take);
      const { taken, others, waited } = await database.transaction(async () => {
        const first = await way.take();
        let isDone = false;
        const second = takeOutside().finally(() => {
          isDone = true;
        });
        await eventually('it is done, or waits', async () => isDone || (await app.waitingForLocks()) > 0);
        return { taken: first, others: () => second, waited: !isDone };
      });
      expect(taken).not.toEqual([]);
      expect([await others(), waited]).toEqual([[], false]);
    },
  );
});
