import { useMutation } from '@tanstack/react-query';
import type { components } from '@gatehouse/client';
import { rich, text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { queryClient } from '../../session/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Laptop, Phone } from '../../ui/icons.tsx';
import { List, useList } from '../../ui/list.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { deviceOf } from './device.ts';

type Device = components['schemas']['TrustedDeviceResponse'];

const KEY = ['trusted-devices'];

interface Props {
  readonly count: number;
  readonly onRemoved: () => void;
}

/** Lists the devices that sign in without the second factor. */
export function TrustedDevices({ count, onRemoved }: Props) {
  const devices = useList(
    [...KEY, count],
    async (cursor) =>
      (await gatehouse.get('/api/v1/iam/me/trusted-devices', { params: { query: { cursor } } })).data,
  );
  return (
    <section className="sheet section" aria-labelledby="trusted-devices">
      <h2 id="trusted-devices">{text('security.devices')}</h2>
      <p>{text('security.devices.text')}</p>
      <List
        query={devices}
        label={text('security.devices')}
        keyOf={({ id }) => id}
        empty={<p className="soft">{text('security.devices.empty')}</p>}
      >
        {(device) => <DeviceItem device={device} onRemoved={onRemoved} />}
      </List>
    </section>
  );
}

function DeviceItem({ device, onRemoved }: { readonly device: Device } & Pick<Props, 'onRemoved'>) {
  const { id, userAgent, lastUsedAt, expiresAt } = device;
  const { name, isPhone } = deviceOf(userAgent);
  const say = useToast();
  const remove = useMutation({
    mutationFn: () => gatehouse.delete('/api/v1/iam/me/trusted-devices/{id}', { params: { path: { id } } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: KEY });
      say(text('security.removed', { name }));
      onRemoved();
    },
  });
  return (
    <div className="item">
      <span className="avatar" aria-hidden="true">
        {isPhone ? <Phone /> : <Laptop />}
      </span>
      <div className="what">
        <strong>{name}</strong>
        <span className="soft small">
          {rich('security.devices.facts', {
            used: () => <Time value={lastUsedAt} />,
            until: () => <Time value={expiresAt} />,
          })}
        </span>
        {remove.error && <ErrorNotice error={remove.error} onRetry={() => remove.mutate()} />}
      </div>
      <div className="end wraps">
        <Button
          small
          aria-label={text('security.remove-of', { name })}
          isPending={remove.isPending}
          onPress={() => remove.mutate()}
        >
          {text('security.remove')}
        </Button>
      </div>
    </div>
  );
}
