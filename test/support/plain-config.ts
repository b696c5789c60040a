/** A configuration of which only the receivers matter. */
import { settingsOf, type Config } from '../../src/config/config.ts';

export function configWith(receivers: Config['receivers']): Config {
  const settings = settingsOf({});
  return {
    ...settings,
    file: 'test',
    instance: 'test',
    timezone: 'UTC',
    stateDir: '/',
    credentialsDir: '/',
    http: { ...settings.http, listenWanted: false },
    accounts: [],
    receivers,
    digest: null,
    route: null,
  };
}
