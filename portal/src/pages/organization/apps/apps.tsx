import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { ActionMenu } from '../../../ui/action-menu.tsx';
import { AppLogo } from '../../../ui/app-logo.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Copyable } from '../../../ui/copyable.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { Empty, List } from '../../../ui/list.tsx';
import { Page } from '../../../ui/page.tsx';
import { useToast } from '../../../ui/toast.tsx';
import type { OrganizationProps } from '../allowed.ts';
import { subjectOf } from '../organization-queries.ts';
import { AppForm } from './app-form.tsx';
import { type OrganizationApp, refreshApps, useApps } from './app-queries.ts';
import { GiveConsent, WithdrawConsent } from './member-consent.tsx';
import { RotateSecret } from './rotate-secret.tsx';

type Doing =
  | { readonly what: 'create' }
  | { readonly what: 'change' | 'consent' | 'withdraw' | 'rotate' | 'delete'; readonly app: OrganizationApp };

/** Lists and changes the apps to which the members of an organization sign in. */
export function Apps({ tenantId, allowed }: OrganizationProps) {
  const apps = useApps(tenantId);
  const [doing, setDoing] = useState<Doing | null>(null);
  const close = () => setDoing(null);
  return (
    <Page
      title={text('nav.apps')}
      lead={text('apps.lead')}
      action={
        allowed['iam:client:create'] && (
          <Button look="primary" onPress={() => setDoing({ what: 'create' })}>
            {text('apps.new')}
          </Button>
        )
      }
    >
      <List
        query={apps}
        label={text('nav.apps')}
        keyOf={({ clientId }) => clientId}
        empty={<Empty title={text('apps.empty')} lead={text('apps.empty.text')} />}
      >
        {(app) => <AppItem tenantId={tenantId} app={app} onDo={setDoing} />}
      </List>
      {apps.data !== undefined && apps.data.length > 0 && (
        <Copyable label={text('connections.issuer')} value={location.origin} />
      )}
      {doing?.what === 'create' && <AppForm tenantId={tenantId} onClose={close} />}
      {doing?.what === 'change' && <AppForm tenantId={tenantId} app={doing.app} onClose={close} />}
      {doing?.what === 'consent' && <GiveConsent tenantId={tenantId} app={doing.app} onClose={close} />}
      {doing?.what === 'withdraw' && <WithdrawConsent tenantId={tenantId} app={doing.app} onClose={close} />}
      {doing?.what === 'rotate' && <RotateSecret tenantId={tenantId} app={doing.app} onClose={close} />}
      {doing?.what === 'delete' && <Delete tenantId={tenantId} app={doing.app} onClose={close} />}
    </Page>
  );
}

interface ItemProps {
  readonly tenantId: string;
  readonly app: OrganizationApp;
  readonly onDo: (doing: Doing) => void;
}

function AppItem({ tenantId, app, onDo }: ItemProps) {
  const { name, clientId, status, logoutReach, type, logoUrl, memberConsent } = app;
  return (
    <div className="item plain">
      <div className="what">
        <div className="row">
          <AppLogo url={logoUrl} />
          <strong>{name}</strong>
          {status === 'disabled' && <Badge kind="bad">{text('service-accounts.disabled')}</Badge>}
          {memberConsent && <Badge kind="good">{text('apps.consent.given')}</Badge>}
          {type === 'public' && <Badge>{text('apps.type.public')}</Badge>}
        </div>
        <span className="soft small">{clientId}</span>
        <span className="soft small">{text(`apps.logout-reach.${logoutReach}`)}</span>
      </div>
      <ActionMenu
        label={text('service-accounts.actions', { name })}
        subject={subjectOf('client-registries', tenantId)}
        actions={[
          {
            label: text('apps.change'),
            scope: 'iam:client:update',
            run: () => onDo({ what: 'change', app }),
          },
          memberConsent
            ? {
                label: text('apps.consent.withdraw'),
                scope: 'iam:client:update',
                run: () => onDo({ what: 'withdraw', app }),
              }
            : {
                label: text('apps.consent'),
                scope: 'iam:client:update',
                run: () => onDo({ what: 'consent', app }),
              },
          ...(type === 'confidential'
            ? [
                {
                  label: text('secret.rotate'),
                  scope: 'iam:client:rotate-secret' as const,
                  run: () => onDo({ what: 'rotate', app }),
                },
              ]
            : []),
          {
            label: text('apps.delete'),
            scope: 'iam:client:delete',
            danger: true,
            run: () => onDo({ what: 'delete', app }),
          },
        ]}
      />
    </div>
  );
}

interface DeleteProps {
  readonly tenantId: string;
  readonly app: OrganizationApp;
  readonly onClose: () => void;
}

function Delete({ tenantId, app: { clientId, name }, onClose }: DeleteProps) {
  const say = useToast();
  const remove = useMutation({
    mutationFn: () =>
      gatehouse.delete('/api/v1/iam/tenants/{id}/clients/{clientId}', {
        params: { path: { id: tenantId, clientId } },
      }),
    onSuccess: async () => {
      await refreshApps(tenantId);
      onClose();
      say(text('apps.deleted', { name }));
    },
  });
  return (
    <ConfirmDialog
      title={text('apps.delete.title', { name })}
      confirm={text('apps.delete')}
      action={remove}
      isOpen
      onClose={onClose}
    >
      <p>{text('apps.delete.text')}</p>
    </ConfirmDialog>
  );
}
