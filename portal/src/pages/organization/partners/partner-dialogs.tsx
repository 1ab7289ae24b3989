import { useMutation } from '@tanstack/react-query';
import { text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { queryClient } from '../../../session/queries.ts';
import { ConfirmDialog, Dialog } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/fields.tsx';
import { FormButtons } from '../../../ui/form-buttons.tsx';
import { Form, textOf } from '../../../ui/form.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useRoles } from '../organization-queries.ts';
import { RoleChoice } from '../role-choice.tsx';
import {
  ACCESS_ONE,
  HOSTED,
  HOSTED_ONE,
  nameOfPartner,
  type PartnerAccess,
  type Partnership,
  readPartnersAgain,
} from './partner-queries.ts';
import { LimitFields, readOn, readUntil } from './partner-terms.tsx';

interface Props {
  readonly tenantId: string;
  readonly onClose: () => void;
}

/** Offers an organization access to this one. */
export function OfferPartnership({ tenantId, onClose }: Props) {
  const { data: roles } = useRoles(tenantId);
  const say = useToast();
  const offer = useMutation({
    mutationFn: (values: FormData) =>
      gatehouse.post(HOSTED, { params: { path: { id: tenantId } }, body: bodyOf(values) }),
    onSuccess: async () => {
      await readPartnersAgain(tenantId);
      onClose();
      say(text('partners.offered'));
    },
  });
  return (
    <Dialog title={text('partners.offer')} isOpen onClose={onClose}>
      <Form error={offer.error} onSubmit={(values) => offer.mutate(values)}>
        <TextField
          label={text('partners.target')}
          hint={text('partners.target.hint')}
          name="email"
          isRequired
          verbatim
        />
        {roles && <RoleChoice roles={roles.filter(({ key }) => key !== 'owner')} chosen={[]} />}
        <LimitFields />
        <MaxPeopleField />
        <FormButtons submit={text('partners.offer')} isPending={offer.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

/** An address has an `@`; anything else is the slug of an organization. */
function bodyOf(values: FormData) {
  const target = (textOf(values, 'email') ?? '').trim();
  const [on, until, maxPeople] = [readOn(values), readUntil(values), readMaxPeople(values)];
  return {
    ...(target.includes('@') ? { email: target } : { tenantSlug: target }),
    roles: values.getAll('roles').map(String),
    ...(on !== null && { on }),
    ...(until !== null && { until }),
    ...(maxPeople !== null && { maxPeople }),
  };
}

/** Changes what a partner is offered. Its people have at once what is left of theirs. */
export function ChangePartnership({
  tenantId,
  partnership,
  onClose,
}: Props & { readonly partnership: Partnership }) {
  const { data: roles } = useRoles(tenantId);
  const { id, until, maxPeople } = partnership;
  const name = nameOfPartner(partnership);
  const say = useToast();
  const change = useMutation({
    mutationFn: (values: FormData) =>
      gatehouse.patch(HOSTED_ONE, {
        params: { path: { id: tenantId, partnershipId: id } },
        body: {
          roles: values.getAll('roles').map(String),
          on: readOn(values),
          until: readUntil(values, until),
          maxPeople: readMaxPeople(values),
        },
      }),
    onSuccess: async () => {
      await readPartnersAgain(tenantId);
      onClose();
      say(text('partners.changed', { name }));
    },
  });
  return (
    <Dialog title={text('partners.change.title', { name })} isOpen onClose={onClose}>
      <Form error={change.error} onSubmit={(values) => change.mutate(values)}>
        <p>{text('partners.change.text')}</p>
        {roles && (
          <RoleChoice roles={roles.filter(({ key }) => key !== 'owner')} chosen={partnership.roles} />
        )}
        <LimitFields present={partnership} />
        <MaxPeopleField max={maxPeople} />
        <FormButtons submit={text('save')} isPending={change.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

function MaxPeopleField({ max = null }: { readonly max?: number | null }) {
  return (
    <TextField
      label={text('partners.max-people')}
      hint={text('partners.max-people.hint')}
      name="maxPeople"
      inputMode="numeric"
      defaultValue={max === null ? '' : String(max)}
    />
  );
}

function readMaxPeople(values: FormData): number | null {
  const maxPeople = textOf(values, 'maxPeople')?.trim();
  return maxPeople === undefined ? null : Number(maxPeople);
}

/** Withdraws an offer, or ends a partnership. */
export function EndPartnership({
  tenantId,
  partnership,
  onClose,
}: Props & { readonly partnership: Partnership }) {
  const name = nameOfPartner(partnership);
  const { id, status } = partnership;
  const say = useToast();
  const end = useMutation({
    mutationFn: () => gatehouse.delete(HOSTED_ONE, { params: { path: { id: tenantId, partnershipId: id } } }),
    onSuccess: async () => {
      await readPartnersAgain(tenantId);
      onClose();
      say(text('partners.ended'));
    },
  });
  return (
    <ConfirmDialog
      title={text('partners.end.title', { name })}
      confirm={text(status === 'offered' ? 'partners.withdraw' : 'partners.end')}
      action={end}
      isOpen
      onClose={onClose}
    >
      <p>{text('partners.end.text')}</p>
    </ConfirmDialog>
  );
}

export type Answer = 'accept' | 'decline' | 'leave';

/** Accepts or declines an offer, or leaves a partnership. */
export function AnswerOffer({
  tenantId,
  access: { id, host },
  answer,
  onClose,
}: Props & { readonly access: PartnerAccess; readonly answer: Answer }) {
  const say = useToast();
  const send = useMutation({
    mutationFn: () =>
      gatehouse.post(`${ACCESS_ONE}/${answer}`, { params: { path: { id: tenantId, partnershipId: id } } }),
    onSuccess: async () => {
      await readPartnersAgain(tenantId);
      await queryClient.invalidateQueries({ queryKey: ['tenants'] });
      onClose();
      say(text(`partners.${answer}.done`, { name: host.name }));
    },
  });
  return (
    <ConfirmDialog
      title={text(`partners.${answer}.title`, { name: host.name })}
      confirm={text(`partners.${answer}`)}
      action={send}
      isOpen
      onClose={onClose}
    >
      <p>{text(`partners.${answer}.text`)}</p>
    </ConfirmDialog>
  );
}
