import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { components } from '@gatehouse/client';
import { text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { queryClient } from '../../../session/queries.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox, CheckboxGroup } from '../../../ui/checkboxes.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { FormButtons } from '../../../ui/form-buttons.tsx';
import { Form } from '../../../ui/form.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { useMembers } from '../organization-queries.ts';
import { roleNames } from '../role-choice.tsx';
import {
  ACCESS_ONE,
  type PartnerAccess,
  type Partnership,
  readPartnersAgain,
  useOwnPeople,
  usePeopleOfPartner,
} from './partner-queries.ts';
import { LimitFields, readOn, readUntil, rolesOnThings, Until, UntilField } from './partner-terms.tsx';

type Person = components['schemas']['PartnerPersonResponse'];

interface Props {
  readonly tenantId: string;
  readonly onClose: () => void;
}

const nameOf = ({ name, email, userId }: Person): string => name ?? email ?? userId;

/** Shows the people of a partner who work in this organization. */
export function PeopleOfPartner({
  tenantId,
  partnership,
  onClose,
}: Props & { readonly partnership: Partnership }) {
  const people = usePeopleOfPartner(tenantId, partnership.id);
  return (
    <Dialog title={text('partners.people')} isOpen onClose={onClose}>
      {people.error && <ErrorNotice error={people.error} />}
      <p>{text('partners.people.of-partner')}</p>
      <People people={people.data} />
      <div className="row">
        <Button onPress={onClose}>{text('close')}</Button>
      </div>
    </Dialog>
  );
}

/** Puts members on a partnership, changes what they have of it, and takes them off. */
export function OwnPeople({ tenantId, access, onClose }: Props & { readonly access: PartnerAccess }) {
  const people = useOwnPeople(tenantId, access.id);
  const members = useMembers(tenantId);
  const [userId, setUserId] = useState('');
  const changed = async () => {
    await readPartnersAgain(tenantId);
    await queryClient.invalidateQueries({ queryKey: ['tenants'] });
  };
  const person = people.data?.find((one) => one.userId === userId);
  const pathOf = (id: string) => ({ path: { id: tenantId, partnershipId: access.id, userId: id } });
  const put = useMutation({
    mutationFn: (values: FormData) => {
      const [on, until] = [readOn(values), readUntil(values, person?.until)];
      return gatehouse.put(`${ACCESS_ONE}/people/{userId}`, {
        params: pathOf(userId),
        body: {
          roles: values.getAll('roles').map(String),
          ...(on !== null && on.length !== access.on?.length && { on }), // all: also what is offered later
          ...(until !== null && { until }),
        },
      });
    },
    onSuccess: async () => {
      setUserId('');
      await changed();
    },
  });
  const remove = useMutation({
    mutationFn: (id: string) => gatehouse.delete(`${ACCESS_ONE}/people/{userId}`, { params: pathOf(id) }),
    onSuccess: changed,
  });
  return (
    <Dialog title={text('partners.people.title', { name: access.host.name })} isOpen onClose={onClose}>
      {(people.error ?? remove.error) && <ErrorNotice error={people.error ?? remove.error} />}
      <People people={people.data} onChange={setUserId} onRemove={(id) => remove.mutate(id)} />
      <Form error={put.error} onSubmit={(values) => put.mutate(values)}>
        <SelectField
          label={text('partners.person')}
          options={[
            ['', text('partners.person.choose')],
            ...(members.data ?? []).map((member): [string, string] => [
              member.userId,
              member.name ?? member.email ?? member.userId,
            ]),
          ]}
          value={userId}
          onChange={setUserId}
        />
        <Terms key={userId} access={access} person={person} />
        <FormButtons
          submit={text(person ? 'save' : 'partners.put')}
          isPending={put.isPending}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}

interface TermsProps {
  readonly access: PartnerAccess;
  /** Who is on the partnership already. */
  readonly person: Person | undefined;
}

/** What of the partnership a member has: some roles, on some of the things, until a day. */
function Terms({ access: { roles, on }, person }: TermsProps) {
  const until = person?.until ?? null;
  return (
    <>
      <CheckboxGroup
        label={text('roles')}
        name="roles"
        missing={text('roles.choose')}
        defaultValue={[...(person?.roles ?? [])]}
        isRequired
      >
        {roles.map((key) => (
          <Checkbox key={key} value={key}>
            {roleNames(null, [key]).join('')}
          </Checkbox>
        ))}
      </CheckboxGroup>
      {on === null ? (
        <LimitFields present={{ on: person?.on ?? null, until }} />
      ) : (
        <>
          <CheckboxGroup
            label={text('partners.on')}
            hint={text('partners.on.of-offered')}
            name="on"
            defaultValue={[...(person?.on ?? [])]}
          >
            {on.map((thing) => (
              <Checkbox key={thing} value={thing}>
                {thing}
              </Checkbox>
            ))}
          </CheckboxGroup>
          <UntilField until={until} />
        </>
      )}
    </>
  );
}

interface PeopleProps {
  readonly people: readonly Person[] | undefined;
  readonly onChange?: (userId: string) => void;
  readonly onRemove?: (userId: string) => void;
}

function People({ people = [], onChange, onRemove }: PeopleProps) {
  return (
    <ul className="list">
      {people.map((person) => (
        <li key={person.userId} className="item plain">
          <div className="what">
            <strong>{nameOf(person)}</strong>
            <span className="soft small">
              {rolesOnThings(roleNames(null, person.roles), person.on)}
              <Until until={person.until} />
            </span>
          </div>
          {onChange && <Button onPress={() => onChange(person.userId)}>{text('partners.change')}</Button>}
          {onRemove && (
            <Button look="danger" onPress={() => onRemove(person.userId)}>
              {text('partners.remove')}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
