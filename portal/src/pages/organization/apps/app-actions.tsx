import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { PAGE_PATHS, pathIn } from '../../../session/paths.ts';
import { ActionMenu } from '../../../ui/action-menu.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { subjectOf } from '../organization-queries.ts';
import { AppForm } from './app-form.tsx';
import { type OrganizationApp, refreshApps } from './app-queries.ts';
import { GiveConsent, WithdrawConsent } from './member-consent.tsx';
import { RotateSecret } from './rotate-secret.tsx';
import { SamlAppForm } from './saml-app.tsx';

interface Props {
  readonly tenantId: string;
  readonly app: OrganizationApp;
}

/** Menu of an app, with the dialogs that it opens. */
export function AppActions({ tenantId, app }: Props) {
  const [doing, setDoing] = useState<'change' | 'consent' | 'withdraw' | 'rotate' | 'delete' | null>(null);
  const { name, type, memberConsent, protocol } = app;
  const props = { tenantId, app, onClose: () => setDoing(null) };
  return (
    <>
      <ActionMenu
        label={text('service-accounts.actions', { name })}
        subject={subjectOf('client-registries', tenantId)}
        actions={[
          { label: text('apps.change'), scope: 'iam:client:update', run: () => setDoing('change') },
          memberConsent
            ? {
                label: text('apps.consent.withdraw'),
                scope: 'iam:client:update',
                run: () => setDoing('withdraw'),
              }
            : { label: text('apps.consent'), scope: 'iam:client:update', run: () => setDoing('consent') },
          ...(type === 'confidential' && protocol === 'openid'
            ? [
                {
                  label: text('secret.rotate'),
                  scope: 'iam:client:rotate-secret' as const,
                  run: () => setDoing('rotate'),
                },
              ]
            : []),
          {
            label: text('apps.delete'),
            scope: 'iam:client:delete',
            danger: true,
            run: () => setDoing('delete'),
          },
        ]}
      />
      {doing === 'change' && (protocol === 'saml' ? <SamlAppForm {...props} /> : <AppForm {...props} />)}
      {doing === 'consent' && <GiveConsent {...props} />}
      {doing === 'withdraw' && <WithdrawConsent {...props} />}
      {doing === 'rotate' && <RotateSecret {...props} />}
      {doing === 'delete' && <Delete {...props} />}
    </>
  );
}

function Delete({ tenantId, app: { clientId, name }, onClose }: Props & { readonly onClose: () => void }) {
  const say = useToast();
  const [, navigate] = useLocation();
  const remove = useMutation({
    mutationFn: () =>
      gatehouse.delete('/api/v1/iam/tenants/{id}/clients/{clientId}', {
        params: { path: { id: tenantId, clientId } },
      }),
    onSuccess: async () => {
      navigate(pathIn(PAGE_PATHS.apps, tenantId), { replace: true });
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
