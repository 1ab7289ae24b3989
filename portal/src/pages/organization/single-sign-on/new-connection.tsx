import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { Checkbox } from '../../../ui/checkboxes.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { FormButtons } from '../../../ui/form-buttons.tsx';
import { Form } from '../../../ui/form.tsx';
import { useToast } from '../../../ui/toast.tsx';
import {
  pageOfConnection,
  refreshConnections,
  useConnections,
  useDomains,
  type Kind,
} from './connection-queries.ts';
import { DomainChoice } from './domain-choice.tsx';
import { DraftFields, draftIn } from './draft-fields.tsx';
import type { Source } from './provider-fields.tsx';

interface Props {
  readonly tenantId: string;
  readonly mayReadDomains: boolean;
  readonly onClose: () => void;
}

/**
 * Creates a draft by what the provider shows, and leads to its page: what to enter at the provider,
 * a test and the activation follow there, because the addresses contain the id of the connection.
 */
export function NewConnection({ tenantId, mayReadDomains, onClose }: Props) {
  const [kind, setKind] = useState<Kind>('oidc');
  const [source, setSource] = useState<Source>('url');
  const [justInTime, setJustInTime] = useState(false);
  const domains = useDomains(tenantId, mayReadDomains).data ?? [];
  const taken = new Set(useConnections(tenantId).data?.flatMap(({ domainIds }) => domainIds));
  const say = useToast();
  const [, navigate] = useLocation();
  const create = useMutation({
    mutationFn: async (values: FormData) => {
      const body = { ...draftIn(values, { kind, source }), provisioning: { justInTime } };
      const params = { path: { id: tenantId } };
      return (await gatehouse.post('/api/v1/iam/tenants/{id}/connections', { params, body })).data;
    },
    onSuccess: async ({ id, name }) => {
      await refreshConnections(tenantId);
      onClose();
      say(text('connections.created', { name }));
      navigate(pageOfConnection(tenantId, id));
    },
  });
  return (
    <Dialog title={text('connections.new')} isOpen onClose={onClose}>
      <Form error={create.error} onSubmit={(values) => create.mutate(values)}>
        <DraftFields kind={kind} source={source} onKind={setKind} onSource={setSource} />
        {mayReadDomains && (
          <DomainChoice
            domains={domains}
            chosen={domains.map(({ id }) => id).filter((id) => !taken.has(id))}
          />
        )}
        <Checkbox isSelected={justInTime} onChange={setJustInTime}>
          {text('connections.just-in-time')}
          <span className="small soft line">{text('connections.just-in-time.hint')}</span>
        </Checkbox>
        <FormButtons submit={text('connections.create')} isPending={create.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
