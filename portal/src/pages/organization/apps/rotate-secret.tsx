import { useMutation } from '@tanstack/react-query';
import { text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { Button } from '../../../ui/button.tsx';
import { Copyable } from '../../../ui/copyable.tsx';
import { ConfirmDialog, Dialog } from '../../../ui/dialog.tsx';
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
      <Dialog title={text('webhooks.rotate.done')} isOpen onClose={onClose}>
        <p>{text('apps.created.text')}</p>
        <Copyable label={text('apps.client-secret')} value={rotate.data.clientSecret} />
        <div className="buttons">
          <Button look="primary" onPress={onClose}>
            {text('keys.saved')}
          </Button>
        </div>
      </Dialog>
    );
  return (
    <ConfirmDialog
      title={text('webhooks.rotate.title')}
      confirm={text('webhooks.rotate')}
      action={rotate}
      isOpen
      onClose={onClose}
    >
      <p>{text('apps.rotate.text')}</p>
    </ConfirmDialog>
  );
}
