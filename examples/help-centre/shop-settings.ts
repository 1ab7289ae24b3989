import { readSettings } from './settings.ts';

/** Settings of the shop. */
export const settings = readSettings({
  OWN_URL: 'address that visitors see; PORT is the listen port, if different',
  SITE_NAME: 'name of the shop, on each page',
  GATEHOUSE_URL: 'address of the service',
  HELP_CENTRE_URL: 'address of the help centre',
  HELP_CENTRE_CLIENT_ID: 'client id of the help centre, as registered',
});
