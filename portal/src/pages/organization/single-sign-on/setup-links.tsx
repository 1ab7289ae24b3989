import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { components } from '@gatehouse/client';
import { rich, text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { ActionMenu } from '../../../ui/action-menu.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { ListSection } from '../../../ui/list-section.tsx';
import { Time } from '../../../ui/time.tsx';
import { useToast } from '../../../ui/toast.tsx';
import type { OrganizationProps } from '../allowed.ts';
import { subjectOf } from '../organization-queries.ts';
import { refreshConnections, useConnections, useSetupLinks, type Connection } from './connection-queries.ts';
import { NewSetupLink } from './new-setup-link.tsx';

type Link = components['schemas']['SetupLinkResponse'];

const KINDS = { active: 'good', revoked: '', expired: '' } as const satisfies Record<Link['status'], string>;

/** Lists, creates and revokes the links by which an identity team sets up a connection. */
export function SetupLinks({ tenantId, allowed }: OrganizationProps) {
  const links = useSetupLinks(tenantId);
  const connections = useConnections(tenantId, allowed['iam:connection:read']).data ?? [];
  return (
    <ListSection
      title={text('setup-links')}
      lead={text('setup-links.text')}
      query={links}
      empty={text('setup-links.empty')}
      emptyText={text('setup-links.empty.text')}
      add={allowed['iam:setup-link:create'] ? text('setup-links.new') : null}
      dialog={(close) => (
        <NewSetupLink
          tenantId={tenantId}
          mayReadConnections={allowed['iam:connection:read']}
          onClose={close}
        />
      )}
    >
      {(link) => <Row tenantId={tenantId} link={link} target={targetOf(link, connections)} />}
    </ListSection>
  );
}

/** Says which connection a link reaches; null if it is for something else. */
function targetOf({ connectionId, intents }: Link, connections: readonly Connection[]): string | null {
  if (connectionId === null) return intents.includes('sso') ? text('setup-links.for-new') : null;
  const known = connections.find(({ id }) => id === connectionId);
  return text('setup-links.for', { connection: known?.name ?? `…${connectionId.slice(-6)}` });
}

interface RowProps {
  readonly tenantId: string;
  readonly link: Link;
  readonly target: string | null;
}

function Row({ tenantId, link, target }: RowProps) {
  const { id, intents, status, createdAt, expiresAt, lastUsedAt } = link;
  const say = useToast();
  const [isRevoking, setRevoking] = useState(false);
  const name = intents.map((intent) => text(`setup-links.intent.${intent as 'sso'}`)).join(', ');
  const revoke = useMutation({
    mutationFn: () =>
      gatehouse.delete('/api/v1/iam/tenants/{id}/setup-links/{linkId}', {
        params: { path: { id: tenantId, linkId: id } },
      }),
    onSuccess: async () => {
      setRevoking(false);
      say(text('setup-links.revoked-now'));
      await refreshConnections(tenantId);
    },
  });
  return (
    <div className="item plain">
      <div className="what">
        <span className="row">
          <strong>{name}</strong>
          <Badge kind={KINDS[status]}>{text(`setup-links.${status}`)}</Badge>
        </span>
        <span className="soft small">
          {target !== null && `${target} · `}
          {rich('setup-links.created-at', { time: () => <Time key="time" value={createdAt} /> })}
          {' · '}
          {lastUsedAt === null
            ? text('setup-links.never-used')
            : rich('setup-links.used-at', { time: () => <Time key="time" value={lastUsedAt} /> })}
          {' · '}
          {rich('setup-links.expires-at', { time: () => <Time key="time" value={expiresAt} exact /> })}
        </span>
      </div>
      {status === 'active' && (
        <span className="end">
          <ActionMenu
            label={text('setup-links.actions', { name })}
            subject={subjectOf('setup-links', id)}
            actions={[
              {
                label: text('setup-links.revoke'),
                scope: 'iam:setup-link:revoke',
                danger: true,
                run: () => setRevoking(true),
              },
            ]}
          />
        </span>
      )}
      <ConfirmDialog
        title={text('setup-links.revoke.title')}
        confirm={text('setup-links.revoke')}
        action={revoke}
        isOpen={isRevoking}
        onClose={() => setRevoking(false)}
      >
        <p>{text('setup-links.revoke.text')}</p>
      </ConfirmDialog>
    </div>
  );
}
