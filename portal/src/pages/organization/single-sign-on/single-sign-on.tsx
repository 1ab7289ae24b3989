import { useState } from 'react';
import { Link } from 'wouter';
import { rich, text } from '../../../messages/index.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Empty, List } from '../../../ui/list.tsx';
import { Page } from '../../../ui/page.tsx';
import { Time } from '../../../ui/time.tsx';
import type { OrganizationProps } from '../allowed.ts';
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
      <List
        query={connections}
        label={text('connections')}
        keyOf={({ id }) => id}
        empty={
          <Empty title={text('connections.empty')}>
            <p>{text('connections.empty.text')}</p>
          </Empty>
        }
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
            </span>
            <ConnectionStatus connection={connection} />
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

/** When a connection has last signed a person in. */
export function LastSignIn({ connection: { lastSignInAt } }: { readonly connection: Connection }) {
  return lastSignInAt === null
    ? text('connections.never-used')
    : rich('connections.used-at', { time: () => <Time key="time" value={lastSignInAt} /> });
}
