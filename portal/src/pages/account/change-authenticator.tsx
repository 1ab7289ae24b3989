import { useMutation } from '@tanstack/react-query';
import type { components } from '@gatehouse/client';
import { text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form } from '../../ui/form.tsx';

export type Authenticator = components['schemas']['AuthenticatorResponse'];

const PATH = '/api/v1/iam/me/authenticators/{id}';

interface Props {
  readonly authenticator: Authenticator;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Renames an authenticator. */
export function RenameAuthenticator({ authenticator: { id, name }, onDone, onClose }: Props) {
  const rename = useMutation({
    mutationFn: (next: string) => gatehouse.patch(PATH, { params: { path: { id } }, body: { name: next } }),
    onSuccess: onDone,
  });
  return (
    <Dialog title={text('security.rename-of', { name })} isOpen onClose={onClose}>
      <Form error={rename.error} onSubmit={(values) => rename.mutate(String(values.get('name')))}>
        <TextField
          label={text('name')}
          name="name"
          defaultValue={name}
          maxLength={100}
          isRequired
          autoFocus
        />
        <FormButtons submit={text('save')} isPending={rename.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

/** Removes an authenticator. */
export function RemoveAuthenticator({
  authenticator: { id, name },
  isLast,
  onDone,
  onClose,
}: Props & { readonly isLast: boolean }) {
  const remove = useMutation({
    mutationFn: () => gatehouse.delete(PATH, { params: { path: { id } } }),
    onSuccess: onDone,
  });
  return (
    <ConfirmDialog
      title={text('security.remove.title', { name })}
      confirm={text('security.remove')}
      action={remove}
      isOpen
      onClose={onClose}
    >
      <p>{text(isLast ? 'security.remove.last' : 'security.remove.text')}</p>
    </ConfirmDialog>
  );
}
