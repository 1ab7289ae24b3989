import { useMutation, useQuery } from '@tanstack/react-query';
import { text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { ConfirmDialog, Dialog } from '../../../ui/dialog.tsx';
import { FormButtons } from '../../../ui/form-buttons.tsx';
import { Form } from '../../../ui/form.tsx';
import { Skeleton } from '../../../ui/list.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { ScopeList } from '../../scope-list.tsx';
import { type OrganizationApp, refreshApps } from './app-queries.ts';

const PATH = '/api/v1/iam/tenants/{id}/clients/{clientId}/consent';

interface Props {
  readonly tenantId: string;
  readonly app: OrganizationApp;
  readonly onClose: () => void;
}

/** Shows what an app can ask for, and consents to it for all members. */
export function GiveConsent({ tenantId, app: { clientId, name }, onClose }: Props) {
  const params = { path: { id: tenantId, clientId } };
  const say = useToast();
  const consent = useQuery({
    queryKey: ['organization', tenantId, 'app-consent', clientId],
    queryFn: async () => (await gatehouse.get(PATH, { params })).data,
    staleTime: 0,
  });
  const give = useMutation({
    mutationFn: () => gatehouse.put(PATH, { params }),
    onSuccess: async () => {
      await refreshApps(tenantId);
      onClose();
      say(text('apps.consent.done', { name }));
    },
  });
  return (
    <Dialog title={text('apps.consent.title', { name })} isOpen onClose={onClose}>
      <Form error={give.error} onSubmit={() => give.mutate()}>
        <p>{text('apps.consent.text')}</p>
        {consent.error && <ErrorNotice error={consent.error} />}
        {consent.isPending && <Skeleton label={text('connected-apps.scopes')} />}
        {consent.data && <ScopeList app={name} scopes={consent.data.scopes} apis={consent.data.apis} />}
        <FormButtons submit={text('apps.consent')} isPending={give.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

/** Lets an app ask each member again. */
export function WithdrawConsent({ tenantId, app: { clientId, name }, onClose }: Props) {
  const say = useToast();
  const withdraw = useMutation({
    mutationFn: () => gatehouse.delete(PATH, { params: { path: { id: tenantId, clientId } } }),
    onSuccess: async () => {
      await refreshApps(tenantId);
      onClose();
      say(text('apps.consent.withdrawn', { name }));
    },
  });
  return (
    <ConfirmDialog
      title={text('apps.consent.withdraw.title', { name })}
      confirm={text('apps.consent.withdraw')}
      action={withdraw}
      isOpen
      onClose={onClose}
    >
      <p>{text('apps.consent.withdraw.text')}</p>
    </ConfirmDialog>
  );
}
