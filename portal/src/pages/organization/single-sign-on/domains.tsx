import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { ActionMenu } from '../../../ui/action-menu.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { ListSection } from '../../../ui/list-section.tsx';
import { useToast } from '../../../ui/toast.tsx';
import type { OrganizationProps } from '../allowed.ts';
import { subjectOf } from '../organization-queries.ts';
import { refreshConnections, useDomains, type Domain } from './connection-queries.ts';
import { DomainItem, NewDomain } from './domain-item.tsx';

const DOMAINS = '/api/v1/iam/tenants/{id}/domains';
/** Lists, adds and verifies the domains of the organization. */
export function Domains({ tenantId, allowed }: OrganizationProps) {
  const domains = useDomains(tenantId, true);
  return (
    <ListSection
      title={text('connections.domains')}
      lead={text('connections.domains.text')}
      query={domains}
      empty={text('connections.domains.empty')}
      emptyText={text('connections.domains.empty.text')}
      add={allowed['iam:domain:create'] ? text('connections.domains.new') : null}
      dialog={(close) => (
        <NewDomain
          add={async (name) =>
            (await gatehouse.post(DOMAINS, { params: { path: { id: tenantId } }, body: { name } })).data
          }
          readAgain={() => refreshConnections(tenantId)}
          onClose={close}
        />
      )}
    >
      {(domain) => <Row tenantId={tenantId} domain={domain} mayVerify={allowed['iam:domain:verify']} />}
    </ListSection>
  );
}

interface RowProps {
  readonly tenantId: string;
  readonly domain: Domain;
  readonly mayVerify: boolean;
}

function Row({ tenantId, domain, mayVerify }: RowProps) {
  const { id, name } = domain;
  const say = useToast();
  const [isRemoving, setRemoving] = useState(false);
  const params = { path: { id: tenantId, domainId: id } };
  const remove = useMutation({
    mutationFn: () => gatehouse.delete(`${DOMAINS}/{domainId}`, { params }),
    onSuccess: async () => {
      setRemoving(false);
      say(text('connections.domains.removed', { name }));
      await refreshConnections(tenantId);
    },
  });
  return (
    <DomainItem
      domain={domain}
      {...(mayVerify && { verify: () => gatehouse.post(`${DOMAINS}/{domainId}/verify`, { params }) })}
      readAgain={() => refreshConnections(tenantId)}
    >
      <span className="end">
        <ActionMenu
          label={text('connections.domains.actions', { name })}
          subject={subjectOf('domains', id)}
          actions={[
            {
              label: text('connections.domains.remove'),
              scope: 'iam:domain:delete',
              danger: true,
              run: () => setRemoving(true),
            },
          ]}
        />
      </span>
      <ConfirmDialog
        title={text('connections.domains.remove.title', { name })}
        confirm={text('connections.domains.remove')}
        action={remove}
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
      >
        <p>{text('connections.domains.remove.text')}</p>
      </ConfirmDialog>
    </DomainItem>
  );
}
