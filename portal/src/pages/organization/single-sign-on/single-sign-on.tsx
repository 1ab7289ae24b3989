import { useState } from 'react';
import { Link } from 'wouter';
import { has, rich, text } from '../../../messages/index.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Empty, List } from '../../../ui/list.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Page } from '../../../ui/page.tsx';
import { Time } from '../../../ui/time.tsx';
import type { OrganizationProps } from '../allowed.ts';
import { SOON_MS, Validity } from './certificates.tsx';
import { pageOfConnection, useConnections, type Connection } from './connection-queries.ts';
import { Domains } from './domains.tsx';
import { NewConnection } from './new-connection.tsx';
import { Requirement } from './requirement.tsx';
import { SetupLinks } from './setup-links.tsx';

/** Lists the connections to identity providers, and the domains for which they vouch. */
export function SingleSignOn({ tenantId, allowed }: OrganizationProps) {
  const connections = useConnections(tenantId);
  const [isAdding, setAdding] = useState(false);
  const add = allowed['iam:connection:create'] && (
    <Button look="primary" onPress={() => setAdding(true)}>
      {text('connections.new')}
    </Button>
  );
  return (
    <Page title={text('nav.single-sign-on')} lead={text('connections.lead')} action={add}>
      {expiredOf(connections.data).map(({ id, name }) => (
        <Notice key={id} kind="bad" title={text('connections.metadata.expired', { name })}>
          <p>{text('connections.metadata.expired.text')}</p>
        </Notice>
      ))}
      {expiringOf(connections.data).map(({ id, name }) => (
        <Notice key={id} kind="care" title={text('connections.certificate.soon', { name })}>
          <p>{text('connections.certificate.soon.text')}</p>
        </Notice>
      ))}
      <List
        query={connections}
        label={text('connections')}
        keyOf={({ id }) => id}
        empty={<Empty title={text('connections.empty')} lead={text('connections.empty.text')} />}
      >
        {(connection) => (
          <Link href={pageOfConnection(tenantId, connection.id)} className="item plain item-link">
            <span className="what">
              <strong>{connection.name}</strong>
              <span className="soft small">
                {text(`connections.kind.${connection.kind}`)}
                {' · '}
                <LastSignIn connection={connection} />
              </span>
              {connection.lastError !== null && (
                <span className="small">
                  {text('connections.last-error', { error: reasonOf(connection.lastError) })}
                </span>
              )}
            </span>
            <span className="end">
              <CertificateHealth connection={connection} />
              <ConnectionStatus connection={connection} />
            </span>
          </Link>
        )}
      </List>
      {allowed['iam:domain:read'] && <Domains tenantId={tenantId} allowed={allowed} />}
      {allowed['iam:setup-link:read'] && <SetupLinks tenantId={tenantId} allowed={allowed} />}
      {allowed['iam:sign-in-policy:read'] && <Requirement tenantId={tenantId} />}
      {isAdding && (
        <NewConnection
          tenantId={tenantId}
          mayReadDomains={allowed['iam:domain:read']}
          onClose={() => setAdding(false)}
        />
      )}
    </Page>
  );
}

const KINDS = { draft: 'care', active: 'good', disabled: '' } as const satisfies Record<
  Connection['status'],
  string
>;

/** Whether a connection signs people in, in a word. */
function ConnectionStatus({ connection: { status } }: { readonly connection: Connection }) {
  return <Badge kind={KINDS[status]}>{text(`connections.status.${status}`)}</Badge>;
}

const lastOf = ({ certificates = [] }: Connection): string | undefined =>
  certificates
    .map(({ notAfter }) => notAfter)
    .toSorted()
    .at(-1);

/** How long the certificate lasts that expires last: after it no person signs in any more. */
function CertificateHealth({ connection }: { readonly connection: Connection }) {
  const notAfter = lastOf(connection);
  return notAfter === undefined ? null : <Validity notAfter={notAfter} />;
}

/** Active connections by metadata that has expired: they sign no person in. */
const expiredOf = (connections: readonly Connection[] = []): Connection[] =>
  connections.filter(({ status, lastError }) => status === 'active' && lastError === 'metadata_expired');

/** Active connections all of whose certificates expire soon. */
const expiringOf = (connections: readonly Connection[] = []): Connection[] =>
  connections.filter((one) => {
    const notAfter = lastOf(one);
    return one.status === 'active' && notAfter !== undefined && Date.parse(notAfter) - Date.now() < SOON_MS;
  });

/** Why a connection has last refused a person, in plain words. */
export function reasonOf(error: string): string {
  const id = `connections.error.${error}`;
  return text(has(id) ? id : 'connections.error.other');
}

/** When a connection has last signed a person in. */
export function LastSignIn({ connection: { lastSignInAt } }: { readonly connection: Connection }) {
  return lastSignInAt === null
    ? text('connections.never-used')
    : rich('connections.used-at', { time: () => <Time key="time" value={lastSignInAt} /> });
}
