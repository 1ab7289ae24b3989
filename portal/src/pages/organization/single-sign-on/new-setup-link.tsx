import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { components } from '@gatehouse/client';
import { text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox, CheckboxGroup } from '../../../ui/checkboxes.tsx';
import { Copyable } from '../../../ui/copyable.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/fields.tsx';
import { FormButtons } from '../../../ui/form-buttons.tsx';
import { Form, textOf } from '../../../ui/form.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { refreshConnections, useConnections } from './connection-queries.ts';

type Body = components['schemas']['CreateSetupLinkDto'];

const INTENTS = ['domain', 'sso', 'directory', 'certificate'] as const;
/** Value of the choice for a connection that the link creates. */
const NEW = 'new';

interface Props {
  readonly tenantId: string;
  readonly mayReadConnections: boolean;
  readonly onClose: () => void;
}

/** Creates a link, then shows it once. */
export function NewSetupLink({ tenantId, mayReadConnections, onClose }: Props) {
  const [connectionId, setConnection] = useState(NEW);
  const create = useMutation({
    mutationFn: async (body: Body) => {
      const params = { path: { id: tenantId } };
      return (await gatehouse.post('/api/v1/iam/tenants/{id}/setup-links', { params, body })).data.url;
    },
    onSuccess: () => refreshConnections(tenantId),
  });
  if (create.data !== undefined)
    return (
      <Dialog title={text('setup-links.created')} isOpen onClose={onClose}>
        <p>{text('setup-links.created.text')}</p>
        <Copyable label={text('setup-links.link')} value={create.data} />
        <div className="buttons">
          <Button look="primary" onPress={onClose}>
            {text('setup-links.done')}
          </Button>
        </div>
      </Dialog>
    );
  const submit = (values: FormData) => {
    const email = textOf(values, 'email')?.trim();
    create.mutate({
      intents: values.getAll('intents').map(String),
      ...(connectionId !== NEW && { connectionId }),
      ...(email !== undefined && { email }),
    });
  };
  return (
    <Dialog title={text('setup-links.new')} isOpen onClose={onClose}>
      <Form error={create.error} onSubmit={submit}>
        <CheckboxGroup
          label={text('setup-links.intents')}
          name="intents"
          defaultValue={['domain', 'sso']}
          isRequired
          missing={text('setup-links.intents.missing')}
        >
          {INTENTS.map((intent) => (
            <Checkbox key={intent} value={intent}>
              {text(`setup-links.intent.${intent}`)}
              <span className="small soft line">{text(`setup-links.intent.${intent}.hint`)}</span>
            </Checkbox>
          ))}
        </CheckboxGroup>
        {mayReadConnections && (
          <ConnectionChoice tenantId={tenantId} value={connectionId} onChange={setConnection} />
        )}
        <TextField
          label={text('setup-links.email')}
          name="email"
          type="email"
          hint={text('setup-links.email.hint')}
          maxLength={254}
        />
        <FormButtons submit={text('setup-links.create')} isPending={create.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

interface ChoiceProps {
  readonly tenantId: string;
  readonly value: string;
  readonly onChange: (id: string) => void;
}

function ConnectionChoice({ tenantId, value, onChange }: ChoiceProps) {
  const connections = useConnections(tenantId).data ?? [];
  return (
    <SelectField
      label={text('setup-links.connection')}
      name="connectionId"
      options={[
        [NEW, text('setup-links.connection.new')],
        ...connections.map(({ id, name }) => [id, name] as const),
      ]}
      value={value}
      onChange={onChange}
    />
  );
}
