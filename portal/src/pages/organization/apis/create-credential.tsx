import { useMutation } from '@tanstack/react-query';
import { text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { Copyable } from '../../../ui/copyable.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { ShownOnce } from '../../../ui/shown-once.tsx';
import type { OrganizationApi } from './api-queries.ts';

interface Props {
  readonly tenantId: string;
  readonly api: OrganizationApi;
  readonly onClose: () => void;
}

/** Creates the credential by which an API asks for the state of tokens, and shows it once. */
export function CreateCredential({ tenantId, api: { id: apiId }, onClose }: Props) {
  const create = useMutation({
    mutationFn: async () =>
      (
        await gatehouse.post('/api/v1/iam/tenants/{id}/apis/{apiId}/credentials', {
          params: { path: { id: tenantId, apiId } },
        })
      ).data,
  });
  if (create.data)
    return (
      <ShownOnce title={text('apis.credential.done')} lead={text('apis.credential.lead')} onClose={onClose}>
        <Copyable label={text('apis.credential.id')} value={create.data.clientId} />
        <Copyable label={text('apis.credential.secret')} value={create.data.clientSecret} />
      </ShownOnce>
    );
  return (
    <ConfirmDialog
      title={text('apis.credential.title')}
      confirm={text('apis.credential')}
      action={create}
      isOpen
      onClose={onClose}
    >
      <p>{text('apis.credential.text')}</p>
    </ConfirmDialog>
  );
}
