import { useMutation } from '@tanstack/react-query';
import { text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { queryClient } from '../../../session/queries.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextArea, TextField } from '../../../ui/fields.tsx';
import { FormButtons } from '../../../ui/form-buttons.tsx';
import { Form, textOf } from '../../../ui/form.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useRoles } from '../organization-queries.ts';
import { RoleChoice } from '../role-choice.tsx';
import { type Account, keyOfAccounts, ONE } from './service-account-queries.ts';

interface Props {
  readonly tenantId: string;
  /** The account to change; a new one without it. */
  readonly account?: Account;
  readonly onClose: () => void;
}

/** Creates a service account, or changes one. */
export function AccountForm({ tenantId, account, onClose }: Props) {
  const { data: roles } = useRoles(tenantId);
  const say = useToast();
  const save = useMutation({
    mutationFn: async (values: FormData) => {
      const body = {
        name: String(values.get('name')),
        description: textOf(values, 'description') ?? null,
        contact: textOf(values, 'contact') ?? null,
        roles: values.getAll('roles').map(String),
      };
      if (account) {
        const params = { path: { id: tenantId, accountId: account.id } };
        await gatehouse.patch(ONE, { params, body });
      } else {
        const params = { path: { id: tenantId } };
        await gatehouse.post('/api/v1/iam/tenants/{id}/service-accounts', { params, body });
      }
      return body.name;
    },
    onSuccess: async (name) => {
      await queryClient.invalidateQueries({ queryKey: keyOfAccounts(tenantId) });
      onClose();
      say(text(account ? 'service-accounts.changed' : 'service-accounts.created', { name }));
    },
  });
  return (
    <Dialog
      title={text(account ? 'service-accounts.change' : 'service-accounts.new')}
      isOpen
      onClose={onClose}
    >
      <Form error={save.error} onSubmit={(values) => save.mutate(values)}>
        <TextField
          label={text('name')}
          name="name"
          maxLength={100}
          defaultValue={account?.name ?? ''}
          isRequired
          autoFocus
        />
        <TextArea
          label={text('service-accounts.description')}
          name="description"
          hint={text('service-accounts.description.hint')}
          maxLength={500}
          defaultValue={account?.description ?? ''}
        />
        <TextField
          label={text('service-accounts.contact')}
          name="contact"
          hint={text('service-accounts.contact.hint')}
          maxLength={254}
          defaultValue={account?.contact ?? ''}
        />
        {roles && (
          <RoleChoice
            roles={roles.filter(({ key }) => key !== 'owner')}
            {...(account && { chosen: account.roles })}
          />
        )}
        <FormButtons
          submit={text(account ? 'save' : 'service-accounts.create')}
          isPending={save.isPending}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}
