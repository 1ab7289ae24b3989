import { useMutation } from '@tanstack/react-query';
import { text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { Copyable } from '../../../ui/copyable.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { ShownOnce } from '../../../ui/shown-once.tsx';
import type { OrganizationApp } from './app-queries.ts';

interface Props {
  readonly tenantId: string;
  readonly app: OrganizationApp;
  readonly onClose: () => void;
}

/** Rotates the secret of an app, and shows the new one once. */
export function RotateSecret({ tenantId, app: { clientId }, onClose }: Props) {
  const rotate = useMutation({
    mutationFn: async () =>
      (
        await gatehouse.post('/api/v1/iam/tenants/{id}/clients/{clientId}/rotate-secret', {
          params: { path: { id: tenantId, clientId } },
        })
      ).data,
  });
  if (rotate.data)
    return (
      <ShownOnce title={text('secret.rotate.done')} lead={text('apps.created.text')} onClose={onClose}>
        <Copyable label={text('apps.client-secret')} value={rotate.data.clientSecret} />
      </ShownOnce>
    );
  return (
    <ConfirmDialog
      title={text('secret.rotate.title')}
      confirm={text('secret.rotate')}
      action={rotate}
      isOpen
      onClose={onClose}
    >
      <p>{text('apps.rotate.text')}</p>
    </ConfirmDialog>
  );
}
