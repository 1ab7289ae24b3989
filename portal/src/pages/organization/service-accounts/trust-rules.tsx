import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { components } from '@gatehouse/client';
import { text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { queryClient } from '../../../session/queries.ts';
import { ConfirmedButton } from '../../../ui/confirmed-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextArea, TextField } from '../../../ui/fields.tsx';
import { FormButtons } from '../../../ui/form-buttons.tsx';
import { Form } from '../../../ui/form.tsx';
import { ListSection } from '../../../ui/list-section.tsx';
import { useList } from '../../../ui/list.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { ONE } from './service-account-queries.ts';

type Rule = components['schemas']['TrustRuleResponse'];
type NewRule = components['schemas']['CreateTrustRuleDto'];

const PATH = `${ONE}/trust-rules` as const;
/** Issuers of workloads whose address is known, with an example of what to ask of their tokens. */
const ISSUERS = {
  github: ['https://token.actions.githubusercontent.com', 'repository = octo-org/octo-repo'],
  gitlab: ['https://gitlab.com', 'project_path = group/project'],
  kubernetes: ['', 'sub = system:serviceaccount:default:export'],
  other: ['', 'sub = export'],
} as const;
type Issuer = keyof typeof ISSUERS;

const queryOf = (tenantId: string, accountId: string) => ['organization', tenantId, 'trust-rules', accountId];

interface Props {
  readonly tenantId: string;
  readonly accountId: string;
  readonly mayCreate: boolean;
}

/** Lists, creates and removes the workloads whose tokens a service account accepts as its own. */
export function TrustRules({ tenantId, accountId, mayCreate }: Props) {
  const path = { id: tenantId, accountId };
  const rules = useList(
    queryOf(tenantId, accountId),
    async (cursor) => (await gatehouse.get(PATH, { params: { path, query: { cursor } } })).data,
  );
  return (
    <ListSection
      title={text('trust-rules.list')}
      lead={text('trust-rules.text', { accountId })}
      query={rules}
      empty={text('trust-rules.empty')}
      emptyText={text('trust-rules.empty.text')}
      add={mayCreate ? text('trust-rules.new') : null}
      dialog={(close) => <NewRuleDialog tenantId={tenantId} accountId={accountId} onClose={close} />}
    >
      {(item) => <RuleItem tenantId={tenantId} accountId={accountId} item={item} />}
    </ListSection>
  );
}

interface ItemProps {
  readonly tenantId: string;
  readonly accountId: string;
  readonly item: Rule;
}

function RuleItem({ tenantId, accountId, item: { id, issuer, audience, conditions } }: ItemProps) {
  const say = useToast();
  const remove = useMutation({
    mutationFn: () =>
      gatehouse.delete(`${PATH}/{ruleId}`, {
        params: { path: { id: tenantId, accountId, ruleId: id } },
      }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: queryOf(tenantId, accountId) });
      say(text('trust-rules.removed'));
    },
  });
  return (
    <div className="item plain">
      <div className="what">
        <strong>{issuer}</strong>
        {Object.entries(conditions).map(([claim, value]) => (
          <code key={claim} className="small">
            {claim} = {value}
          </code>
        ))}
        <span className="soft small">{text('trust-rules.for', { audience })}</span>
      </div>
      <div className="end wraps">
        <ConfirmedButton
          action={text('trust-rules.remove')}
          label={text('trust-rules.remove-of', { issuer })}
          title={text('trust-rules.remove.title')}
          command={remove}
        >
          <p>{text('trust-rules.remove.text')}</p>
        </ConfirmedButton>
      </div>
    </div>
  );
}

interface NewProps {
  readonly tenantId: string;
  readonly accountId: string;
  readonly onClose: () => void;
}

function NewRuleDialog({ tenantId, accountId, onClose }: NewProps) {
  const [issuer, setIssuer] = useState<Issuer>('github');
  const [address, example] = ISSUERS[issuer];
  const say = useToast();
  const create = useMutation({
    mutationFn: (body: NewRule) =>
      gatehouse.post(PATH, { params: { path: { id: tenantId, accountId } }, body }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: queryOf(tenantId, accountId) });
      onClose();
      say(text('trust-rules.created'));
    },
  });
  const submit = (values: FormData) =>
    create.mutate({
      issuer: String(values.get('issuer')),
      audience: String(values.get('audience')),
      conditions: parseConditions(String(values.get('conditions'))) ?? {},
    });
  return (
    <Dialog title={text('trust-rules.new')} isOpen onClose={onClose}>
      <Form error={create.error} onSubmit={submit}>
        <SelectField
          label={text('trust-rules.workload')}
          options={(Object.keys(ISSUERS) as Issuer[]).map((one) => [
            one,
            text(`trust-rules.workload.${one}`),
          ])}
          value={issuer}
          onChange={(one) => setIssuer(one as Issuer)}
        />
        <TextField
          key={issuer}
          label={text('trust-rules.issuer')}
          name="issuer"
          type="url"
          hint={text('trust-rules.issuer.hint')}
          defaultValue={address}
          maxLength={300}
          isRequired
        />
        <TextField
          label={text('trust-rules.audience')}
          name="audience"
          hint={text('trust-rules.audience.hint')}
          defaultValue={location.origin}
          maxLength={300}
          isRequired
        />
        <TextArea
          label={text('trust-rules.conditions')}
          name="conditions"
          hint={text('trust-rules.conditions.hint', { example })}
          validate={(value) => (parseConditions(value) ? null : text('trust-rules.conditions.wrong'))}
          isRequired
        />
        <FormButtons submit={text('trust-rules.create')} isPending={create.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

/** Reads a condition per line. @returns null if a line is none */
function parseConditions(written: string): Record<string, string> | null {
  const pairs = written
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => /^\s*([^=\s]+)\s*=\s*(.*\S)\s*$/.exec(line));
  return pairs.every((pair) => pair !== null)
    ? Object.fromEntries(pairs.map(([, claim = '', value = '']) => [claim, value]))
    : null;
}
