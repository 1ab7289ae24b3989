import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { text } from '../../messages/index.ts';
import { Copyable } from '../../ui/copyable.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form } from '../../ui/form.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';

const DAY_MS = 86_400_000;
/** Lifetimes to choose from, in days. */
const LIFETIMES = ['30', '90', '365'];

/** What every key is created with. */
interface NewKeyBody {
  readonly name: string;
  readonly expiresAt: string;
}

interface Props {
  /** Creates the key, with the values of further fields. @returns its plain text */
  readonly create: (body: NewKeyBody, values: FormData) => Promise<string>;
  readonly onCreated: () => Promise<unknown>;
  readonly onClose: () => void;
  /** Further fields. */
  readonly children?: ReactNode;
}

/** Creates a key, then shows it once. */
export function NewKey({ create, onCreated, onClose, children }: Props) {
  const [days, setDays] = useState('90');
  const save = useMutation({
    mutationFn: (values: FormData) => {
      const expiresAt = new Date(Date.now() + Number(days) * DAY_MS).toISOString();
      return create({ name: String(values.get('name')), expiresAt }, values);
    },
    onSuccess: onCreated,
  });
  if (save.data !== undefined) return <ShownKey plainKey={save.data} onClose={onClose} />;
  return (
    <Dialog title={text('keys.new')} isOpen onClose={onClose}>
      <Form error={save.error} onSubmit={(values) => save.mutate(values)}>
        <TextField
          label={text('name')}
          name="name"
          hint={text('keys.name.hint')}
          maxLength={100}
          isRequired
          autoFocus
        />
        {children}
        <SelectField
          label={text('keys.lifetime')}
          name="expiresAt"
          options={LIFETIMES.map((one) => [one, text('keys.days', { days: Number(one) })] as const)}
          value={days}
          onChange={setDays}
        />
        <FormButtons submit={text('keys.create')} isPending={save.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

function ShownKey({ plainKey, onClose }: { readonly plainKey: string; readonly onClose: () => void }) {
  return (
    <ShownOnce title={text('keys.created')} lead={text('keys.created.text')} onClose={onClose}>
      <Copyable label={text('keys.key')} value={plainKey} />
    </ShownOnce>
  );
}
