import { useMutation } from '@tanstack/react-query';
import type { components } from '@gatehouse/client';
import { text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { Copyable } from '../../../ui/copyable.tsx';
import { ConfirmDialog, Dialog } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/fields.tsx';
import { wordsOf } from '../../../ui/lines-of.ts';
import { FormButtons } from '../../../ui/form-buttons.tsx';
import { Form, textOf } from '../../../ui/form.tsx';
import { QrCode } from '../../../ui/qr-code.tsx';
import { ShownOnce } from '../../../ui/shown-once.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { ALL, ONE, readStationsAgain, type Station } from './station-queries.ts';

const SECONDS = { minute: 60, hour: 3_600 };
const DEFAULT_IDLE_MINUTES = 5;
const DEFAULT_SHIFT_HOURS = 12;

interface Props {
  readonly tenantId: string;
  readonly onClose: () => void;
}

/** Creates a station, and shows once the code by which its device registers. */
export function NewStation({ tenantId, onClose }: Props) {
  const create = useMutation({
    mutationFn: async (values: FormData) =>
      (await gatehouse.post(ALL, { params: { path: { id: tenantId } }, body: bodyOf(values) })).data,
    onSuccess: () => readStationsAgain(tenantId),
  });
  if (create.data)
    return (
      <ShownOnce
        title={text('stations.code.title', { name: create.data.name })}
        lead={text('stations.code.text', { address: `${location.host}/station` })}
        onClose={onClose}
      >
        <QrCode
          content={`${location.origin}/station#${create.data.registrationCode}`}
          label={text('stations.code.qr')}
        />
        <Copyable label={text('stations.code')} value={create.data.registrationCode} />
      </ShownOnce>
    );
  return (
    <Dialog title={text('stations.new')} isOpen onClose={onClose}>
      <Form error={create.error} onSubmit={(values) => create.mutate(values)}>
        <StationFields />
        <FormButtons submit={text('stations.create')} isPending={create.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

interface OneProps extends Props {
  readonly station: Station;
}

export function ChangeStation({ tenantId, station, onClose }: OneProps) {
  const say = useToast();
  const change = useMutation({
    mutationFn: async (values: FormData) => {
      const params = { path: { id: tenantId, stationId: station.id } };
      await gatehouse.patch(ONE, { params, body: bodyOf(values) });
    },
    onSuccess: async () => {
      await readStationsAgain(tenantId);
      onClose();
      say(text('stations.changed', { name: station.name }));
    },
  });
  return (
    <Dialog title={text('stations.change.title', { name: station.name })} isOpen onClose={onClose}>
      <Form error={change.error} onSubmit={(values) => change.mutate(values)}>
        <StationFields station={station} />
        <FormButtons submit={text('save')} isPending={change.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

function StationFields({ station }: { readonly station?: Station }) {
  const minutes = station ? station.idleSeconds / SECONDS.minute : DEFAULT_IDLE_MINUTES;
  const hours = station ? station.shiftSeconds / SECONDS.hour : DEFAULT_SHIFT_HOURS;
  return (
    <>
      <TextField
        label={text('name')}
        name="name"
        hint={text('stations.name.hint')}
        defaultValue={station?.name ?? ''}
        maxLength={100}
        isRequired
        autoFocus
      />
      <TextField
        label={text('stations.place')}
        name="place"
        defaultValue={station?.place ?? ''}
        maxLength={100}
      />
      <TextField
        label={text('stations.idle')}
        name="idleSeconds"
        hint={text('stations.idle.hint')}
        inputMode="decimal"
        defaultValue={String(minutes)}
        isRequired
      />
      <TextField
        label={text('stations.shift')}
        name="shiftSeconds"
        hint={text('stations.shift.hint')}
        inputMode="decimal"
        defaultValue={String(hours)}
        isRequired
      />
      <TextField
        label={text('networks')}
        name="networks"
        hint={text('stations.networks.hint')}
        defaultValue={station?.networks.join(' ') ?? ''}
        verbatim
      />
    </>
  );
}

const numberOf = (values: FormData, name: string) => Number(String(values.get(name)).replace(',', '.'));

const bodyOf = (values: FormData): components['schemas']['CreateStationDto'] => ({
  name: String(values.get('name')),
  place: textOf(values, 'place') ?? null,
  idleSeconds: Math.round(numberOf(values, 'idleSeconds') * SECONDS.minute),
  shiftSeconds: Math.round(numberOf(values, 'shiftSeconds') * SECONDS.hour),
  networks: wordsOf(values, 'networks'),
});

export type Command = 'disable' | 'enable' | 'unlock' | 'delete';

/** Asks before a command that has no result to show. */
export function DoWithStation({ tenantId, station, what, onClose }: OneProps & { readonly what: Command }) {
  const { id: stationId, name } = station;
  const say = useToast();
  const command = useMutation({
    mutationFn: async () => {
      const params = { path: { id: tenantId, stationId } };
      if (what === 'delete') await gatehouse.delete(ONE, { params });
      else {
        const status = what === 'disable' ? 'disabled' : 'active';
        await gatehouse.patch(ONE, { params, body: { status } });
      }
    },
    onSuccess: async () => {
      await readStationsAgain(tenantId);
      onClose();
      say(text(`stations.done.${what}`, { name }));
    },
  });
  return (
    <ConfirmDialog
      title={text(`stations.${what}.title`, { name })}
      confirm={text(`stations.${what}`)}
      action={command}
      isOpen
      onClose={onClose}
    >
      <p>{text(`stations.${what}.text`)}</p>
    </ConfirmDialog>
  );
}
