import { readSettings } from './settings.ts';

/** Settings of the help centre. */
export const settings = readSettings({
  OWN_URL: 'address that visitors see; PORT is the listen port, if different',
  SITE_NAME: 'name of the help centre, on each page',
  GATEHOUSE_URL: 'address of the service',
  CLIENT_ID: 'of the satellite, as registered',
  CLIENT_SECRET: 'of the satellite, as registered',
  APP_URL: 'address of the app, whose /authorize signs visitors in',
  APP_NAME: 'name of the app, on the button',
});
