import { declareMessages } from '../platform/messages/index.js';

const messages = declareMessages({
  'worker.number-taken': 'Another person in this organization has this number.',
  'worker.no-owner': 'A worker without an address cannot be an owner.',
  'worker.is-owner': 'This person is an owner. Take the role of an owner from them first.',
  'worker.own': 'You cannot do this for yourself. Ask another member.',
  'worker.owns-account': 'This person has an address, and changes name and address themselves.',
  'worker.pin-temporary': 'This PIN is temporary. Choose a new one.',
  'worker.pin-guessable': 'Choose a PIN that is harder to guess: no row, no repetition, not your number.',
  'station.other-network': 'This station is not in the network that it is set up for.',
  'station.pending': 'The device of this station has not registered yet.',
  'station.too-many': 'There can be {max} stations. Delete one that is not in use.',
  'station.code-refused': 'This code is wrong, used or expired. Ask for a new one.',
  'scope.worker': 'Workers',
  'scope.worker.read': 'View workers',
  'scope.worker.create': 'Add workers',
  'scope.worker.create.description':
    'Add members without an address, with roles up to the permissions that one holds oneself.',
  'scope.worker.update': 'Change workers',
  'scope.worker.delete': 'Remove workers',
  'scope.worker.suspend': 'Suspend workers',
  'scope.worker.reinstate': 'Reinstate workers',
  'scope.worker.reset-pin': 'Reset PINs',
  'scope.worker.reset-pin.description': 'Give workers a temporary PIN, such as after they forgot theirs.',
  'scope.worker.issue-badge': 'Issue badges',
  'scope.worker.revoke-badge': 'Revoke badges',
  'scope.station': 'Stations',
  'scope.station.read': 'View stations',
  'scope.station.create': 'Create stations',
  'scope.station.create.description': 'Set up shared devices at which members sign in.',
  'scope.station.update': 'Change stations',
  'scope.station.delete': 'Delete stations',
});

declare module '../platform/messages/index.js' {
  interface MessageIds extends Readonly<typeof messages> {}
}
