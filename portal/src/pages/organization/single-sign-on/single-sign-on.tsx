import { useState } from 'react';
import { Link } from 'wouter';
import { has, rich, text } from '../../../messages/index.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/list.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Page } from '../../../ui/page.tsx';
import { type Column, Table } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { useWholeTable } from '../../../ui/whole-table.ts';
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
  const { table } = useWholeTable(connections, {
    by: {
      name: ({ name }) => name,
      kind: ({ kind }) => kind,
      used: ({ lastSignInAt }) => lastSignInAt ?? '',
    },
    first: 'name',
  });
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
      <Table
        {...table}
        label={text('connections')}
        count={(count) => text('connections.count', { count })}
        keyOf={({ id }) => id}
        columns={columnsOf(tenantId)}
        empty={<Empty title={text('connections.empty')} lead={text('connections.empty.text')} />}
      />
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

const columnsOf = (tenantId: string): Column<Connection>[] => [
  {
    key: 'name',
    label: text('name'),
    sort: 'name',
    cell: ({ id, name, kind, status, lastError }) => (
      <>
        <Link href={pageOfConnection(tenantId, id)} className="name" title={name}>
          {name}
        </Link>
        <span className="under">
          {[text(`connections.kind.${kind}`), text(`connections.status.${status}`)].join(' · ')}
        </span>
        {lastError !== null && <span className="under">{lastRefusal(lastError)}</span>}
      </>
    ),
  },
  {
    key: 'kind',
    label: text('connections.kind'),
    sort: 'kind',
    isWide: true,
    cell: ({ kind }) => text(`connections.kind.${kind}`),
  },
  {
    key: 'used',
    label: text('connections.last-sign-in'),
    sort: 'used',
    isWide: true,
    cell: ({ lastSignInAt }) =>
      lastSignInAt === null ? (
        <span className="soft">{text('connections.never-used')}</span>
      ) : (
        <Time value={lastSignInAt} />
      ),
  },
  {
    key: 'refusal',
    label: text('connections.last-refusal'),
    isWide: true,
    cell: ({ lastError }) =>
      lastError === null ? '–' : <span title={reasonOf(lastError)}>{reasonOf(lastError)}</span>,
  },
  {
    key: 'certificate',
    label: text('connections.certificate-ends'),
    isWide: true,
    cell: (connection) => <CertificateHealth connection={connection} />,
  },
  {
    key: 'status',
    label: text('members.status'),
    isWide: true,
    cell: ({ status }) =>
      status === 'active' ? (
        text('connections.status.active')
      ) : (
        <Badge kind={status === 'draft' ? 'care' : 'bad'}>{text(`connections.status.${status}`)}</Badge>
      ),
  },
];

const lastRefusal = (error: string): string => text('connections.last-error', { error: reasonOf(error) });

const lastOf = ({ certificates = [] }: Connection): string | undefined =>
  certificates
    .map(({ notAfter }) => notAfter)
    .toSorted()
    .at(-1);

/** How long the certificate lasts that expires last: after it no person signs in any more. */
function CertificateHealth({ connection }: { readonly connection: Connection }) {
  const notAfter = lastOf(connection);
  if (notAfter === undefined) return '–';
  return Date.parse(notAfter) - Date.now() < SOON_MS ? (
    <Validity notAfter={notAfter} />
  ) : (
    <Time value={notAfter} />
  );
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
