import type { UserId } from '../../kernel/index.js';
import { inOrderOfCreation } from '../../platform/api/index.js';
import type { Command } from '../command.js';
import { ORGANIZATION, PAGE_OPTIONS } from '../options.js';

/** People without an address and their stations. PINs and badges only members hand out. */
export const STATION_COMMANDS: readonly Command[] = [
  {
    name: 'station:list',
    description: 'list the shared stations of an organization, and who is signed in',
    options: [ORGANIZATION, ...PAGE_OPTIONS],
    columns: ['stationId', 'name', 'place', 'status', 'person', 'lastSeenAt'],
    run: async (services, options) => {
      const organizationId = await services.organizationId(options);
      return services.page(
        options,
        async (page) => (await services.stations.list(organizationId, inOrderOfCreation(page), {})).stations,
        ({ id, name, place, status, person, lastSeenAt }) => ({
          stationId: id,
          name,
          place,
          status,
          person: person?.userId ?? null,
          lastSeenAt,
        }),
      );
    },
  },
  {
    name: 'station:disable',
    description: 'disable a station, such as of a lost device: its session ends within a second',
    options: [
      ORGANIZATION,
      { flags: '--station <id>', description: 'id of the station, as listed', required: true },
    ],
    run: async (services, options) => {
      const organizationId = await services.organizationId(options);
      const stationId = String(options['station']);
      // The trail has no operator for a command: the organization stands for it.
      const actorId = String(organizationId) as UserId;
      await services.database.transaction(() =>
        services.stations.update(organizationId, actorId, stationId, { status: 'disabled' }),
      );
      return { stationId, status: 'disabled' };
    },
  },
  {
    name: 'worker:list',
    description: 'list the people without an address of an organization, by id and number',
    options: [ORGANIZATION, ...PAGE_OPTIONS],
    columns: ['accountId', 'number', 'status', 'hasPin', 'pinLocked', 'lastSignInAt'],
    run: async (services, options) => {
      const organizationId = await services.organizationId(options);
      return services.page(
        options,
        async (page) =>
          (await services.workers.list(organizationId, inOrderOfCreation(page), {})).workers.map(
            (worker) => ({
              ...worker,
              id: worker.userId,
            }),
          ),
        ({ userId, number, status, roles, hasPin, pinLocked, until, lastSignInAt }) => ({
          accountId: userId,
          number,
          status,
          roles,
          hasPin,
          pinLocked,
          until,
          lastSignInAt,
        }),
      );
    },
  },
];
