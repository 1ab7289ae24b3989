import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/fields.tsx';
import { FormButtons } from '../../../ui/form-buttons.tsx';
import { Form } from '../../../ui/form.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { pageOfDirectory, pathOf, refreshDirectories, type Directory } from './directory-queries.ts';

const WAYS = ['suspend', 'erase'] as const satisfies readonly Directory['onDelete'][];
const WITHOUT_ADDRESS = ['wait', 'worker'] as const satisfies readonly Directory['withoutAddress'][];

interface Props {
  readonly tenantId: string;
  /** The directory to change; a new one without it. */
  readonly directory?: Directory;
  readonly onClose: () => void;
}

/** Creates a directory and leads to it, or changes one. */
export function DirectoryForm({ tenantId, directory, onClose }: Props) {
  const [onDelete, setOnDelete] = useState(directory?.onDelete ?? 'suspend');
  const [withoutAddress, setWithoutAddress] = useState(directory?.withoutAddress ?? 'wait');
  const say = useToast();
  const [, navigate] = useLocation();
  const save = useMutation({
    mutationFn: async (name: string) => {
      const body = { name, onDelete, withoutAddress };
      const { data } = directory
        ? await gatehouse.patch('/api/v1/iam/tenants/{id}/directories/{directoryId}', {
            params: pathOf(tenantId, directory.id),
            body,
          })
        : await gatehouse.post('/api/v1/iam/tenants/{id}/directories', {
            params: { path: { id: tenantId } },
            body,
          });
      return data;
    },
    onSuccess: async ({ id, name }) => {
      await refreshDirectories(tenantId);
      onClose();
      say(text(directory ? 'directories.changed' : 'directories.created', { name }));
      if (!directory) navigate(pageOfDirectory(tenantId, id));
    },
  });
  return (
    <Dialog title={text(directory ? 'directories.change' : 'directories.new')} isOpen onClose={onClose}>
      <Form error={save.error} onSubmit={(values) => save.mutate(String(values.get('name')))}>
        <TextField
          label={text('name')}
          name="name"
          hint={text('directories.name.hint')}
          maxLength={100}
          defaultValue={directory?.name ?? ''}
          isRequired
          autoFocus
        />
        <SelectField
          label={text('directories.on-delete')}
          hint={text(`directories.on-delete.${onDelete}.hint`)}
          name="onDelete"
          options={WAYS.map((way) => [way, text(`directories.on-delete.${way}`)])}
          value={onDelete}
          onChange={(way) => setOnDelete(way as Directory['onDelete'])}
        />
        <SelectField
          label={text('directories.without-address')}
          hint={text(`directories.without-address.${withoutAddress}.hint`)}
          name="withoutAddress"
          options={WITHOUT_ADDRESS.map((one) => [one, text(`directories.without-address.${one}`)])}
          value={withoutAddress}
          onChange={(one) => setWithoutAddress(one as Directory['withoutAddress'])}
        />
        <FormButtons
          submit={text(directory ? 'save' : 'directories.create')}
          isPending={save.isPending}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}
